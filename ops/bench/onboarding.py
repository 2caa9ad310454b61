"""Brings the benchmark's tenant into Sluice through GraphQL, and makes the requests that every entrant gets."""

import json
import urllib.error
import urllib.request

BURST_CHUNKS = 50
END_USER = "customer-0815"


class Refused(Exception):
    """Sluice said no to a mutation; the message has the mutation and all its errors."""


def _mutate(url, token, name, input_type, values, selection=""):
    query = f"mutation Bench($input: {input_type}!) {{ {name}(input: $input) {{ {selection} userErrors {{ path code message }} }} }}"
    body = json.dumps({"query": query, "variables": {"input": values}}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=15) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        raise Refused(f"{name}: HTTP {error.code} {error.read()[:800]!r}") from error
    if answer.get("errors"):
        raise Refused(f"{name}: {answer['errors']}")
    payload = answer["data"][name]
    if payload["userErrors"]:
        raise Refused(f"{name}: {payload['userErrors']}")
    return payload


# So high that nothing is ever refused, and every request looks at all of them.
LIMITS = {"requestsPerMinute": 1_000_000_000, "tokensPerMinute": 1_000_000_000, "maxConcurrency": 10_000}
CAP = "1000000000"


def onboard(url, token, ports, tenant="bench", bounded=False):
    """One tenant; per kind of load two providers, one pool of both and one scenario. Bounded means a spend cap at each of the four
    scopes, and limits at all five levels. Returns the API key."""
    limits = {"limits": LIMITS} if bounded else {}

    def put(mutation, input_type, **values):
        return _mutate(url, token, mutation, input_type, {"tenantId": tenant, **values})

    _mutate(url, token, "createTenant", "CreateTenantInput", {"id": tenant, "displayName": "Bench", "timeZone": "UTC"})
    if bounded:
        _mutate(url, token, "updateTenant", "UpdateTenantInput", {"id": tenant, "version": 1, "endUserLimits": LIMITS, **limits})
    put("createApp", "CreateAppInput", id="load", displayName="Load client", **limits)
    put("putModel", "PutModelInput", id="bench-model", contextWindow=128000, maxOutputTokens=4096)
    put("putPrice", "PutPriceInput", model="bench-model", inputPerMTok="0.50", outputPerMTok="1.50")
    scenarios = []
    for kind, upstream in (("whole", "json"), ("burst", "burst"), ("paced", "paced")):
        providers = [f"{kind}-1", f"{kind}-2"]
        for provider, port in zip(providers, (ports[upstream], ports[upstream + "2"])):
            put("putProvider", "PutProviderInput", id=provider, plugin="openai", baseUrl=f"http://127.0.0.1:{port}/v1",
                credential="value:sk-bench", quotaGroup=provider, region=provider)
        put("putPool", "PutPoolInput", id=f"{kind}-pool", tier="STANDARD",
            targets=[{"provider": provider, "model": "bench-model", "weight": 100} for provider in providers])
        put("putScenario", "PutScenarioInput", name=f"bench-{kind}", sensitivity="SEMANTIC", kind="READ", core=True,
            ladder=[{"name": "primary", "pool": f"{kind}-pool"}], **limits)
        if bounded:
            put("setSpendCap", "SetSpendCapInput", scope="SCENARIO", subject=f"bench-{kind}", period="DAY", limit=CAP)
        scenarios.append(f"bench-{kind}")
    if bounded:
        put("setSpendCap", "SetSpendCapInput", scope="TENANT", period="DAY", limit=CAP)
        put("setSpendCap", "SetSpendCapInput", scope="APP", subject="load", period="DAY", limit=CAP)
        put("setSpendCap", "SetSpendCapInput", scope="END_USER", subject=END_USER, period="DAY", limit=CAP)
    made = _mutate(url, token, "createApiKey", "CreateApiKeyInput",
                   {"tenantId": tenant, "appId": "load", "scenarios": scenarios, "defaultScenario": "bench-whole",
                    **(LIMITS if bounded else {})}, "key")
    return made["key"]


def chat_body(stream):
    """About 1,060 bytes: two short turns, the usual parameters, a field that a gateway does not know."""
    system = ("You are the assistant of a shop. Answer in at most three sentences, name the order number when there is one, "
              "never promise a date, and hand over to a person when the customer asks for one or seems upset.")
    question = ("My order 4711 was to arrive last week and the tracking page has not changed since. I have already written twice "
                "and got an automatic answer each time. Could you tell me where the parcel is, whether I can still change the "
                "delivery address, and what happens to the voucher that I used for it if I cancel now?")
    body = {
        "model": "auto",
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": "Hello, I have a question about an order."},
            {"role": "assistant", "content": "Of course. Which order is it about?"},
            {"role": "user", "content": question},
        ],
        "temperature": 0.2, "top_p": 1.0, "max_tokens": 400, "user": END_USER, "x_shop": {"basket": 3, "total": 59.90},
    }
    if stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return json.dumps(body).encode()


def raw_request(body, key, scenario):
    """The bytes that the streaming client sends, the same for every entrant."""
    head = (f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {key}\r\nX-Business-Scenario: {scenario}\r\nContent-Length: {len(body)}\r\n\r\n")
    return head.encode() + body


def canned_stream():
    """A whole stream of 50 content chunks as nginx answers it at once."""
    def event(choices, **more):
        chunk = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1700000000, "model": "bench-model", "choices": choices}
        return "data: " + json.dumps(chunk | more, separators=(",", ":")) + "\n\n"

    events = [event([{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])]
    events += [event([{"index": 0, "delta": {"content": f" word{i}"}, "finish_reason": None}]) for i in range(BURST_CHUNKS)]
    events += [event([{"index": 0, "delta": {}, "finish_reason": "stop"}])]
    events += [event([], usage={"prompt_tokens": 211, "completion_tokens": BURST_CHUNKS, "total_tokens": 211 + BURST_CHUNKS})]
    return "".join(events) + "data: [DONE]\n\n"
