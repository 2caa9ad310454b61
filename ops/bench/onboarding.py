"""Brings the benchmark's tenant into Sluice through GraphQL, and makes the requests that every entrant gets."""

import concurrent.futures
import http.client
import json
import threading
import urllib.parse

BURST_CHUNKS = 50
END_USER = "customer-0815"


class Refused(Exception):
    """Sluice said no to a mutation; the message has the mutation and all its errors."""


_open = threading.local()


def _post(url, body, headers):
    """One POST over the connection that this thread keeps to that server: ten thousand tenants are tens of thousands of them."""
    place = urllib.parse.urlsplit(url)
    if getattr(_open, "to", None) != place.netloc:
        _open.to, _open.connection = place.netloc, http.client.HTTPConnection(place.netloc, timeout=60)
    try:
        _open.connection.request("POST", place.path, body, headers)
        answer = _open.connection.getresponse()
        return answer.status, answer.read()
    except (http.client.HTTPException, OSError):
        _open.to = None
        raise


def _mutate(url, token, name, input_type, values, selection=""):
    query = f"mutation Bench($input: {input_type}!) {{ {name}(input: $input) {{ {selection} userErrors {{ path code message }} }} }}"
    body = json.dumps({"query": query, "variables": {"input": values}}).encode()
    status, text = _post(url, body, {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    if status != 200:
        raise Refused(f"{name}: HTTP {status} {text[:800]!r}")
    answer = json.loads(text)
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


DOCUMENT_SCENARIOS = 100  # with their pools: a request has at most 64 KiB
AT_ONCE = 16  # changes under way: what waits for the disk is written together


def _targets():
    return [{"provider": provider, "model": "bench-model", "weight": 100} for provider in ("whole-1", "whole-2")]


def onboard_platform(url, token, ports):
    """What every tenant may use: two providers, a model with its price, and one pool."""
    for provider, port in (("whole-1", ports["json"]), ("whole-2", ports["json2"])):
        _mutate(url, token, "putProvider", "PutProviderInput", {"id": provider, "plugin": "openai", "baseUrl": f"http://127.0.0.1:{port}/v1",
                                                                "credential": "value:sk-bench", "quotaGroup": provider, "region": provider})
    _mutate(url, token, "putModel", "PutModelInput", {"id": "bench-model", "contextWindow": 128000, "maxOutputTokens": 4096})
    _mutate(url, token, "putPrice", "PutPriceInput", {"model": "bench-model", "inputPerMTok": "0.50", "outputPerMTok": "1.50"})
    _mutate(url, token, "putPool", "PutPoolInput", {"id": "pool", "tier": "STANDARD", "targets": _targets()})


def onboard_tenants(url, token, count):
    """So many tenants, each with an app, a scenario on the platform's pool and a key. Returns (key, scenario) of each."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(lambda number: (_tenant(url, token, f"tenant-{number}", {"bench-whole": "pool"}), "bench-whole"), range(count)))


def onboard_pools(url, token, count):
    """One tenant with so many pools of its own, each with a scenario. Returns (key, scenario) of each."""
    key = _tenant(url, token, "tenant-0", {f"bench-{number}": f"pool-{number}" for number in range(count)}, own_pools=True)
    return [(key, f"bench-{number}") for number in range(count)]


def edit(url, token, number):
    """One change of one tenant, as a platform engineer makes them all day: returns once this node serves it."""
    _mutate(url, token, "createApp", "CreateAppInput", {"tenantId": "tenant-0", "id": f"edit-{number}", "displayName": "Edit"})


def _tenant(url, token, tenant, pool_of_scenario, own_pools=False):
    _mutate(url, token, "createTenant", "CreateTenantInput", {"id": tenant, "displayName": "Bench", "timeZone": "UTC"})
    apps = [{"id": "load", "displayName": "Load client"}]
    names = list(pool_of_scenario)
    for at in range(0, len(names), DOCUMENT_SCENARIOS):
        part = names[at:at + DOCUMENT_SCENARIOS]
        document = {"apps": apps, "scenarios": [{"name": name, "sensitivity": "SEMANTIC", "kind": "READ", "core": True,
                                                 "ladder": [{"name": "primary", "pool": pool_of_scenario[name]}]} for name in part]}
        if own_pools:
            document["pools"] = [{"id": pool_of_scenario[name], "tier": "STANDARD", "targets": _targets()} for name in part]
        _mutate(url, token, "applyConfig", "ApplyConfigInput", {"tenantId": tenant, "document": document})
    return _mutate(url, token, "createApiKey", "CreateApiKeyInput", {"tenantId": tenant, "appId": "load"}, "key")["key"]


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
