import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LargeAnswers, startLargeAnswers } from '../fixtures/large-answers.ts';
import { modern, open, openSession, rpc, send } from '../integration/harness.ts';
import { type Era, eras } from '../support/eras.ts';
import { serve } from '../support/serve-process.ts';

const BYTES = 30 * 1024 * 1024;
interface Answer {
  readonly id: number;
  readonly result: { readonly content: readonly [{ readonly text: string }] };
}

const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=128' };

let large: LargeAnswers;
beforeAll(async () => {
  large = await startLargeAnswers();
});
afterAll(() => large[Symbol.asyncDispose]());

const ways: Record<string, () => object> = {
  'over stdio': () => ({
    command: process.execPath,
    args: [fileURLToPath(new URL('../fixtures/careless-server.ts', import.meta.url))],
  }),
  'as JSON over HTTP': () => large.entries.json,
  'as events over HTTP': () => large.entries.events,
  'over HTTP+SSE': () => large.entries.sse,
};

const flood = { name: 'large__flood', arguments: { bytes: BYTES } };

/** Calls `flood` as a client of that era. */
async function caller(era: Era, url: string) {
  const session = era === 'legacy' ? await openSession(url, { version: '2025-06-18' }) : {};
  return async (id: number) => {
    const asked =
      era === 'legacy' ? { headers: session, body: rpc(id, 'tools/call', flood) } : modern('tools/call', flood, { id });
    const { messages } = await send(url, asked);
    return messages as unknown as [Answer];
  };
}

test.each(Object.keys(ways))(
  'a heap of 128 MB is enough for six answers of 30 MB at once %s',
  async (way) => {
    await using folder = await mkdtempDisposable(`${tmpdir()}/sluice-test-`);
    await using gateway = await serve(folder.path, { mcpServers: { large: ways[way]?.() } }, { env: SMALL_HEAP });
    await gateway.ready();
    const callers = await Promise.all(eras.map((era) => caller(era, `${gateway.url}/mcp`)));
    const ids = [1, 2, 3];
    const calls = callers.flatMap((call) => ids.map((id) => call(id)));
    const text = 'x'.repeat(BYTES);
    for (const [index, [answer]] of (await Promise.all(calls)).entries()) {
      expect(answer.id).toBe(ids[index % ids.length]);
      // Not `toEqual`: a failure would print it.
      expect(answer.result.content[0].text === text).toBe(true);
    }
  },
  120_000,
);

test('a heap of 128 MB is enough for a batch of six answers of 30 MB', async () => {
  await using folder = await mkdtempDisposable(`${tmpdir()}/sluice-test-`);
  await using gateway = await serve(folder.path, { mcpServers: { large: large.entries.json } }, { env: SMALL_HEAP });
  await gateway.ready();
  const url = `${gateway.url}/mcp`;
  const headers = await openSession(url, { version: '2025-03-26' });
  const body = [1, 2, 3, 4, 5, 6].map((id) => rpc(id, 'tools/call', flood));
  const answers = await open(url, { headers, body });
  await answers.ended;
  const texts = (answers.messages as unknown as Answer[]).map(({ result }) => result.content[0].text.length);
  expect(texts).toEqual(body.map(() => BYTES));
}, 120_000);
