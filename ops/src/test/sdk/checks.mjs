// Runs checks one after another and prints one JSON line for each; the last line says how many there were.
import assert from 'node:assert/strict';

export const baseURL = process.env.SLUICE_URL;
export const key = process.env.SLUICE_KEY;
/** May ask for the pool "main" only. */
export const narrowKey = process.env.SLUICE_NARROW_KEY;

const checks = [];

export function check(name, run) {
  checks.push({ name, run });
}

export async function runAll() {
  for (const { name, run } of checks) {
    let line = { name, ok: true };
    try {
      await run();
    } catch (e) {
      line = { name, ok: false, detail: String(e?.stack ?? e) };
    }
    console.log(JSON.stringify(line));
  }
  console.log(JSON.stringify({ done: checks.length }));
}

/** A fetch that remembers what went over the wire. */
export function spy() {
  const calls = [];
  const fetching = async (url, init) => {
    const call = { at: performance.now() };
    calls.push(call);
    const response = await fetch(url, init);
    call.status = response.status;
    call.headers = response.headers;
    return response;
  };
  return { calls, fetch: fetching };
}

/** What the call rejected with; it must be of the class. */
export async function failure(promise, type) {
  try {
    await promise;
  } catch (e) {
    assert.ok(e instanceof type, `not a ${type.name} but ${e?.constructor?.name}: ${e?.stack ?? e}`);
    return e;
  }
  assert.fail(`no ${type.name} came`);
}

/** Whether the first repeat came no earlier than the answer before it had asked for. */
export function waitedAsAsked(calls) {
  const asked = Number(calls[0].headers.get('retry-after'));
  assert.ok(asked >= 1, `retry-after: ${calls[0].headers.get('retry-after')}`);
  const waited = calls[1].at - calls[0].at;
  // Timers may fire a moment early.
  assert.ok(waited >= asked * 1000 - 20, `waited ${waited} ms of ${asked} s`);
}

/** The decision record of a request, once it has an outcome. */
export async function decision(id) {
  for (let i = 0; i < 100; i++) {
    const response = await fetch(`${baseURL}/decisions/${id}`, { headers: { authorization: `Bearer ${key}` } });
    if (response.status === 200) {
      return response.json();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`no decision record of ${id}`);
}

/** Asks the upstream whether the client of the endless scene has left it. */
export async function upstreamSawLeave(id) {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: `scene: left ${id}` }] }),
  });
  const answer = await response.json();
  assert.equal(answer.choices?.[0]?.message?.content, 'true', JSON.stringify(answer));
}
