// The Vercel AI SDK, by its OpenAI provider and by the one for compatible servers.
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, isStepCount, Output, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { baseURL, check, decision, failure, key, runAll, spy, upstreamSawLeave } from './checks.mjs';

const steps = isStepCount ?? stepCountIs;
const providers = {
  openai: (options = {}) => {
    const provider = createOpenAI({ baseURL, apiKey: key, ...options });
    return (name) => provider.chat(name);
  },
  compatible: (options = {}) =>
    createOpenAICompatible({
      name: 'sluice',
      baseURL,
      apiKey: key,
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...options,
    }),
};
const tools = {
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `${city}!` }),
};

for (const [name, provide] of Object.entries(providers)) {
  const model = provide();
  const ask = (scene, more = {}) => ({ model: model('auto'), prompt: `scene: ${scene}`, maxRetries: 0, onError: () => {}, ...more });

  check(`${name}: generateText has text and usage`, async () => {
    const answer = await generateText(ask('hello'));
    assert.equal(answer.text, 'Hello there');
    assert.equal(answer.finishReason, 'stop');
    assert.deepEqual([answer.usage.inputTokens, answer.usage.outputTokens], [5, 2]);
    assert.match(answer.response.headers['x-request-id'], /^[0-9a-f]{32}$/);
  });

  check(`${name}: streamText has text in pieces and usage`, async () => {
    const answer = streamText(ask('hello'));
    const pieces = [];
    for await (const piece of answer.textStream) pieces.push(piece);
    assert.deepEqual(pieces, ['Hello', ' there']);
    assert.equal((await answer.usage).outputTokens, 2);
    assert.equal(await answer.finishReason, 'stop');
  });

  check(`${name}: tools run and their results go back`, async () => {
    const answer = await generateText(ask('tools', { tools, stopWhen: steps(3) }));
    assert.equal(answer.text, 'call_1=Berlin! call_2=Paris!');
    assert.equal(answer.steps.length, 2);
  });

  check(`${name}: tools run in a stream`, async () => {
    const answer = streamText(ask('tools', { tools, stopWhen: steps(3) }));
    assert.equal(await answer.text, 'call_1=Berlin! call_2=Paris!');
  });

  check(`${name}: a structured answer is parsed`, async () => {
    const output = Output.object({ schema: z.object({ city: z.string(), degrees: z.number() }) });
    const answer = await generateText(ask('json', { output }));
    assert.deepEqual(answer.output, { city: 'Berlin', degrees: 7 });
  });

  check(`${name}: an abort closes the upstream and is recorded`, async () => {
    const id = `ai-${name}`;
    const { calls, fetch } = spy();
    const abort = new AbortController();
    const answer = streamText(ask(`endless ${id}`, { model: provide({ fetch })('auto'), abortSignal: abort.signal }));
    for await (const piece of answer.textStream) {
      if (piece) abort.abort();
    }
    await upstreamSawLeave(id);
    assert.equal((await decision(calls[0].headers.get('x-request-id'))).outcome, 'client_abort');
  });

  check(`${name}: a wrong key is a 401 that is not repeated`, async () => {
    const wrong = provide({ apiKey: 'gw_live_wrong' })('auto');
    const e = await failure(generateText(ask('hello', { model: wrong, maxRetries: 2 })), APICallError);
    assert.deepEqual([e.statusCode, e.isRetryable], [401, false]);
    assert.equal(JSON.parse(e.responseBody).error.code, 'invalid_api_key');
  });

  check(`${name}: an unknown model is a 404 that is not repeated`, async () => {
    const e = await failure(generateText(ask('hello', { model: model('gpt-0'), maxRetries: 2 })), APICallError);
    assert.deepEqual([e.statusCode, e.isRetryable], [404, false]);
  });

  check(`${name}: a model server that is away is a 502 or 503 that may be repeated`, async () => {
    const e = await failure(generateText(ask('hello', { model: model('away') })), APICallError);
    assert.ok([502, 503].includes(e.statusCode), String(e.statusCode));
    assert.equal(e.isRetryable, true);
  });

  check(`${name}: a stream that breaks off has an error part after the text so far`, async () => {
    const answer = streamText(ask('error', { model: model('error') }));
    let text = '';
    const errors = [];
    for await (const part of answer.fullStream ?? answer.stream) {
      if (part.type === 'text-delta') text += part.text ?? part.textDelta;
      if (part.type === 'error') errors.push(part.error);
    }
    assert.equal(text, 'Hel');
    assert.equal(errors.length, 1);
  });
}

await runAll();
