// What the OpenAI SDK makes of Sluice's own 429. Slows everybody with a wrong key, so it needs a process of its own.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { baseURL, check, failure, runAll } from './checks.mjs';

check('too many wrong keys are a RateLimitError that says when to come back', async () => {
  const client = new OpenAI({ baseURL, apiKey: 'gw_live_wrong', maxRetries: 0 });
  const messages = [{ role: 'user', content: 'hello' }];
  for (let i = 0; i < 2_000; i++) {
    const e = await failure(client.chat.completions.create({ model: 'auto', messages }), OpenAI.APIError);
    if (e.status !== 401) {
      assert.ok(e instanceof OpenAI.RateLimitError, String(e));
      assert.equal(e.code, 'too_many_auth_failures');
      assert.ok(Number(e.headers.get('retry-after')) >= 1);
      return;
    }
  }
  assert.fail('wrong keys are never slowed');
});

await runAll();
