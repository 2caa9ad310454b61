"""The OpenAI Python SDK as apps use it: only base URL and key are Sluice's. Prints one JSON line for each check."""

import json
import os
import re
import traceback

import openai
from openai import OpenAI

URL = os.environ["SLUICE_URL"]
KEY = os.environ["SLUICE_KEY"]
NARROW_KEY = os.environ["SLUICE_NARROW_KEY"]
WEATHER = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}
CHECKS = []
client = OpenAI(base_url=URL, api_key=KEY, max_retries=0)


def check(name):
    def register(run):
        CHECKS.append((name, run))
        return run

    return register


def ask(scene, **more):
    return {"model": "auto", "messages": [{"role": "user", "content": f"scene: {scene}"}], **more}


def failure(error_class, run):
    try:
        run()
    except error_class as error:
        return error
    raise AssertionError(f"no {error_class.__name__} came")


def same(got, wanted):
    assert got == wanted, f"{got!r} is not {wanted!r}"


@check("a whole answer has its text, usage and request id")
def _():
    answer = client.chat.completions.create(**ask("hello"))
    same(answer.choices[0].message.content, "Hello there")
    same(answer.usage.total_tokens, 7)
    assert re.fullmatch("[0-9a-f]{32}", answer._request_id), answer._request_id


@check("a stream has its text in pieces and the usage that was asked for")
def _():
    chunks = list(client.chat.completions.create(**ask("hello", stream=True, stream_options={"include_usage": True})))
    same([c.choices[0].delta.content for c in chunks if c.choices and c.choices[0].delta.content], ["Hello", " there"])
    same(chunks[-1].usage.total_tokens, 7)


@check("the stream helper puts the message together")
def _():
    with client.chat.completions.stream(**ask("hello")) as stream:
        same(stream.get_final_completion().choices[0].message.content, "Hello there")


@check("two tool calls at once, and a round trip with their results")
def _():
    first = client.chat.completions.create(**ask("tools", tools=[WEATHER])).choices[0].message
    same([json.loads(call.function.arguments)["city"] for call in first.tool_calls], ["Berlin", "Paris"])
    messages = ask("tools")["messages"] + [first] + [
        {"role": "tool", "tool_call_id": call.id, "content": str(7 + i)} for i, call in enumerate(first.tool_calls)
    ]
    second = client.chat.completions.create(model="auto", tools=[WEATHER], messages=messages)
    same(second.choices[0].message.content, "call_1=7 call_2=8")


@check("two tool calls at once in a stream")
def _():
    with client.chat.completions.stream(**ask("tools", tools=[WEATHER])) as stream:
        calls = stream.get_final_completion().choices[0].message.tool_calls
    same([(call.id, call.function.arguments) for call in calls],
         [("call_1", '{"city":"Berlin"}'), ("call_2", '{"city":"Paris"}')])


@check("leaving a stream closes the upstream")
def _():
    with client.chat.completions.create(**ask("endless python", stream=True)) as stream:
        next(iter(stream))
    same(client.chat.completions.create(**ask("left python")).choices[0].message.content, "true")


@check("every mistake has its class")
def _():
    wrong = OpenAI(base_url=URL, api_key="gw_live_wrong", max_retries=0)
    narrow = OpenAI(base_url=URL, api_key=NARROW_KEY, max_retries=0)
    create = client.chat.completions.create
    same(failure(openai.AuthenticationError, lambda: wrong.chat.completions.create(**ask("hello"))).code, "invalid_api_key")
    same(failure(openai.PermissionDeniedError,
                 lambda: narrow.chat.completions.create(**{**ask("hello"), "model": "e503"})).code, "model_not_allowed")
    same(failure(openai.NotFoundError, lambda: create(**{**ask("hello"), "model": "gpt-0"})).code, "model_not_found")
    same(failure(openai.BadRequestError, lambda: create(**ask("hello", extra_body={"stream": "yes"}))).param, "stream")
    away = failure(openai.InternalServerError, lambda: create(**{**ask("hello"), "model": "away"}))
    assert away.status_code in (502, 503), away.status_code


@check("a stream that breaks off raises an APIError after the text so far")
def _():
    text = []

    def read():
        for chunk in client.chat.completions.create(**{**ask("error", stream=True), "model": "error"}):
            text.append(chunk.choices[0].delta.content or "")

    same(failure(openai.APIError, read).code, "upstream_failed")
    same("".join(text), "Hel")


for name, run in CHECKS:
    line = {"name": name, "ok": True}
    try:
        run()
    except Exception:
        line = {"name": name, "ok": False, "detail": traceback.format_exc()}
    print(json.dumps(line), flush=True)
print(json.dumps({"done": len(CHECKS)}))
