// The OpenAI JS SDK as apps use it: only base URL and key are Sluice's. Argument: the installed name of the package.
import assert from 'node:assert/strict';
import { baseURL, check, decision, failure, key, narrowKey, runAll, spy, upstreamSawLeave, waitedAsAsked } from './checks.mjs';

const sdk = await import(process.argv[2]);
const OpenAI = sdk.default;
const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 });
const scene = (name) => [{ role: 'user', content: `scene: ${name}` }];
const ask = (name, more = {}) => ({ model: 'auto', messages: scene(name), ...more });
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

check('a whole answer has its text, usage and request id', async () => {
  const { data, response, request_id } = await client.chat.completions.create(ask('hello')).withResponse();
  assert.equal(data.choices[0].message.content, 'Hello there');
  assert.equal(data.choices[0].finish_reason, 'stop');
  assert.deepEqual(data.usage, { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 });
  const id = response.headers.get('x-request-id');
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal(data._request_id, id);
  assert.equal(request_id, id);
});

check('members that Sluice does not know reach the model unchanged', async () => {
  const body = ask('mirror', { seed: 12345678901234567000, logit_bias: { 50256: -100 }, made_up: { deep: [1.5, null, 'é'] } });
  const answer = await client.chat.completions.create(body);
  const seen = JSON.parse(answer.choices[0].message.content);
  assert.equal(seen.model, 'small');
  for (const name of ['messages', 'seed', 'logit_bias', 'made_up']) {
    assert.deepEqual(seen[name], body[name], name);
  }
});

check('a stream has its text in pieces and no usage that nobody asked for', async () => {
  const pieces = [];
  let finish;
  for await (const chunk of await client.chat.completions.create(ask('hello', { stream: true }))) {
    assert.equal(chunk.usage ?? null, null);
    assert.equal(chunk.choices.length, 1);
    pieces.push(chunk.choices[0].delta.content ?? '');
    finish = chunk.choices[0].finish_reason ?? finish;
  }
  assert.deepEqual(pieces.filter(Boolean), ['Hello', ' there']);
  assert.equal(finish, 'stop');
});

check('a stream with include_usage ends with the usage', async () => {
  let last;
  const body = ask('hello', { stream: true, stream_options: { include_usage: true } });
  for await (const chunk of await client.chat.completions.create(body)) {
    last = chunk;
  }
  assert.deepEqual(last.choices, []);
  assert.equal(last.usage.total_tokens, 7);
});

check('the stream helper puts the message together', async () => {
  const stream = client.chat.completions.stream(ask('hello', { stream_options: { include_usage: true } }));
  const final = await stream.finalChatCompletion();
  assert.equal(final.choices[0].message.content, 'Hello there');
  assert.equal(final.usage.completion_tokens, 2);
});

check('two tool calls at once, and a round trip with their results', async () => {
  const first = await client.chat.completions.create(ask('tools', { tools: [weather] }));
  const calls = first.choices[0].message.tool_calls;
  assert.equal(first.choices[0].finish_reason, 'tool_calls');
  assert.deepEqual(calls.map((c) => [c.id, c.function.name, JSON.parse(c.function.arguments).city]), [
    ['call_1', 'weather', 'Berlin'],
    ['call_2', 'weather', 'Paris'],
  ]);
  const results = calls.map((c, i) => ({ role: 'tool', tool_call_id: c.id, content: String(7 + i) }));
  const second = await client.chat.completions.create({
    model: 'auto',
    tools: [weather],
    messages: [...scene('tools'), first.choices[0].message, ...results],
  });
  assert.equal(second.choices[0].message.content, 'call_1=7 call_2=8');
});

check('two tool calls at once in a stream', async () => {
  const stream = client.chat.completions.stream(ask('tools', { tools: [weather] }));
  const final = await stream.finalChatCompletion();
  assert.deepEqual(final.choices[0].message.tool_calls.map((c) => [c.id, c.function.arguments]), [
    ['call_1', '{"city":"Berlin"}'],
    ['call_2', '{"city":"Paris"}'],
  ]);
});

check('runTools calls the functions and ends with the text', async () => {
  const runner = client.chat.completions.runTools(
    ask('tools', {
      tools: [{ ...weather, function: { ...weather.function, parse: JSON.parse, function: ({ city }) => `${city}!` } }],
    }),
  );
  assert.equal(await runner.finalContent(), 'call_1=Berlin! call_2=Paris!');
});

check('a structured answer is parsed against the schema that the model got', async () => {
  const { zodResponseFormat } = await import(`${process.argv[2]}/helpers/zod`);
  const { z } = await import('zod');
  const format = zodResponseFormat(z.object({ city: z.string(), degrees: z.number() }), 'weather');
  const answer = await client.chat.completions.parse(ask('json', { response_format: format }));
  assert.deepEqual(answer.choices[0].message.parsed, { city: 'Berlin', degrees: 7 });
});

check('leaving a stream closes the upstream and is recorded', async () => {
  const id = `${process.argv[2]}-break`;
  const { data: stream, response } = await client.chat.completions
    .create(ask(`endless ${id}`, { stream: true }))
    .withResponse();
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta?.content) break;
  }
  await upstreamSawLeave(id);
  const record = await decision(response.headers.get('x-request-id'));
  assert.equal(record.outcome, 'client_abort');
  assert.equal(record.attempts[0].failure, 'CANCELLED');
  assert.ok(record.attempts[0].firstTokenMs > 0, JSON.stringify(record.attempts[0]));
});

check('an AbortController closes the upstream of a stream', async () => {
  const id = `${process.argv[2]}-abort`;
  const abort = new AbortController();
  const stream = await client.chat.completions.create(ask(`endless ${id}`, { stream: true }), { signal: abort.signal });
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta?.content) abort.abort();
  }
  await upstreamSawLeave(id);
});

check('a wrong key is an AuthenticationError and not repeated', async () => {
  const { calls, fetch } = spy();
  const wrong = new OpenAI({ baseURL, apiKey: 'gw_live_wrong', fetch });
  const e = await failure(wrong.chat.completions.create(ask('hello')), OpenAI.AuthenticationError);
  assert.deepEqual([e.status, e.code, e.type], [401, 'invalid_api_key', 'authentication_error']);
  assert.match(e.requestID, /^[0-9a-f]{32}$/);
  assert.equal(calls.length, 1);
});

check('a pool that the key may not use is a PermissionDeniedError', async () => {
  const narrow = new OpenAI({ baseURL, apiKey: narrowKey });
  const e = await failure(narrow.chat.completions.create({ ...ask('hello'), model: 'e503' }), OpenAI.PermissionDeniedError);
  assert.equal(e.code, 'model_not_allowed');
});

check('an unknown model is a NotFoundError', async () => {
  const e = await failure(client.chat.completions.create({ ...ask('hello'), model: 'gpt-0' }), OpenAI.NotFoundError);
  assert.equal(e.code, 'model_not_found');
});

check('an unknown path is a NotFoundError', async () => {
  await failure(client.get('/nowhere'), OpenAI.NotFoundError);
});

check('a wrong request is a BadRequestError that names the member', async () => {
  const e = await failure(client.chat.completions.create(ask('hello', { stream: 'yes' })), OpenAI.BadRequestError);
  assert.deepEqual([e.code, e.param], ['invalid_request', 'stream']);
});

check('an unknown scenario is a BadRequestError', async () => {
  const options = { headers: { 'x-business-scenario': 'nope' } };
  const e = await failure(client.chat.completions.create(ask('hello'), options), OpenAI.BadRequestError);
  assert.equal(e.code, 'unknown_scenario');
});

check('a body over the limit is a 413 and not repeated', async () => {
  const { calls, fetch } = spy();
  const own = new OpenAI({ baseURL, apiKey: key, fetch });
  const long = { model: 'auto', messages: [{ role: 'user', content: 'x'.repeat(33 << 20) }] };
  const e = await failure(own.chat.completions.create(long), OpenAI.APIError);
  assert.deepEqual([e.status, e.code], [413, 'body_too_large']);
  assert.equal(calls.length, 1);
});

check("the model's own 400 is a BadRequestError and not repeated", async () => {
  const { calls, fetch } = spy();
  const own = new OpenAI({ baseURL, apiKey: key, fetch });
  const e = await failure(own.chat.completions.create({ ...ask('fail 400'), model: 'e400' }), OpenAI.BadRequestError);
  assert.match(e.message, /this is scripted/);
  assert.equal(calls.length, 1);
});

for (const status of [429, 529]) {
  check(`a busy model (${status}) is a 503 that is repeated after the time it names`, async () => {
    const { calls, fetch } = spy();
    const own = new OpenAI({ baseURL, apiKey: key, fetch, maxRetries: 1 });
    const e = await failure(
      own.chat.completions.create({ ...ask(`fail ${status}`), model: `e${status}` }),
      OpenAI.InternalServerError,
    );
    assert.deepEqual([e.status, e.code], [503, 'no_healthy_target']);
    assert.equal(calls.length, 2);
    waitedAsAsked(calls);
  });
}

check('an account of the operator that is refused upstream is a 502 that nobody repeats', async () => {
  const { calls, fetch } = spy();
  const own = new OpenAI({ baseURL, apiKey: key, fetch });
  const e = await failure(own.chat.completions.create({ ...ask('fail 401'), model: 'e401' }), OpenAI.InternalServerError);
  assert.deepEqual([e.status, e.code], [502, 'upstream_failed']);
  assert.equal(calls[0].headers.get('x-should-retry'), 'false');
  assert.equal(calls.length, 1);
});

check('a model server that is away is a 502 or 503', async () => {
  const e = await failure(client.chat.completions.create({ ...ask('hello'), model: 'away' }), OpenAI.InternalServerError);
  assert.ok([502, 503].includes(e.status), String(e.status));
  assert.doesNotMatch(e.message, /127\.0\.0\.1|localhost|:\d{4}/);
});

for (const name of ['error', 'cut']) {
  check(`a stream that breaks off (${name}) raises an APIError after the text so far`, async () => {
    const stream = await client.chat.completions.create({ ...ask(name, { stream: true }), model: name });
    let text = '';
    const e = await failure(
      (async () => {
        for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? '';
      })(),
      OpenAI.APIError,
    );
    assert.equal(text, 'Hel');
    assert.equal(e.code, 'upstream_failed');
  });
}

check('the list of models has what the key may use', async () => {
  const names = [];
  for await (const model of client.models.list()) names.push(model.id);
  assert.ok(names.includes('auto') && names.includes('main'), String(names));
  const own = [];
  for await (const model of new OpenAI({ baseURL, apiKey: narrowKey }).models.list()) own.push(model.id);
  assert.deepEqual(own, ['main']);
});

await runAll();
