import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import { type Json, startGateway } from '../harness.ts';
import { ask, askIn } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';

// Only the clock is ours: a minute passes when a test says so, and everything else takes the time it takes.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const reads = (backend: ScriptedServer, method = 'tools/list') =>
  backend.received.filter((received) => received.method === method).length;

/** A server of 2026 whose list grows, and which says nothing of it. */
async function silent(ttlMs: number, capabilities: Json = { tools: {} }) {
  const tools = [{ name: 'one', inputSchema: { type: 'object' } }];
  let answered = 0;
  const list = () => {
    answered++;
    return { tools: [...tools], ttlMs, cacheScope: 'public' };
  };
  const backend = await startScripted('modern', { 'tools/list': list }, capabilities);
  const grow = (name: string) => tools.push({ name, inputSchema: { type: 'object' } });
  return Object.assign(backend, { grow, answered: () => answered });
}

const names = async (url: string) =>
  ((await ask(url, 'tools/list')).result.tools as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name.startsWith('srv__'));

test.each(['legacy', 'modern'] as const)(
  'a list whose time has passed is read again, and a %s client is told of what changed',
  async (era) => {
    await using backend = await silent(30_000);
    await using gateway = await startGateway({ mcpServers: {} });
    using client = await listen(gateway.mcp, era);
    await gateway.reload({ mcpServers: { srv: backend.entry } });
    // That it has come is told a moment later, and is none of those that count.
    await expect.poll(() => client.listChanges('tools')).toBe(1);
    expect(await names(gateway.mcp)).toEqual(['srv__one']);
    backend.grow('two');
    pass(29_000);
    expect(await names(gateway.mcp)).toEqual(['srv__one']);
    expect(reads(backend)).toBe(1);
    client.forget();
    pass(2000);
    await names(gateway.mcp);
    await expect.poll(() => client.listChanges('tools')).toBe(1);
    expect(await names(gateway.mcp)).toEqual(['srv__one', 'srv__two']);
    expect(reads(backend)).toBe(2);

    // Nothing changed: nobody is told.
    pass(31_000);
    await names(gateway.mcp);
    await expect.poll(backend.answered).toBe(3);
    backend.grow('three');
    // The gateway may still be busy with the last answer, which makes the list fresh again.
    await expect
      .poll(async () => {
        pass(31_000);
        await names(gateway.mcp);
        return client.listChanges('tools');
      })
      .toBe(2);
    expect(backend.answered()).toBeGreaterThanOrEqual(4);
  },
);

test('one that wants to be asked each time is asked every ten seconds at the most', async () => {
  await using backend = await silent(0);
  await using gateway = await startGateway({ mcpServers: { srv: backend.entry } });
  for (let second = 0; second < 9; second++) {
    pass(1000);
    await names(gateway.mcp);
  }
  expect(reads(backend)).toBe(1);
  pass(1500);
  await Promise.all([names(gateway.mcp), names(gateway.mcp), names(gateway.mcp)]);
  await expect.poll(() => reads(backend)).toBe(2);
});

test('one that announces changes, and one of 2025, is not asked again', async () => {
  await using announcing = await silent(0, { tools: { listChanged: true } });
  await using old = await startScripted('legacy', { 'tools/list': () => ({ tools: [], ttlMs: 0 }) });
  await using sentinel = await silent(0);
  await using gateway = await startGateway({
    mcpServers: { srv: announcing.entry, old: old.entry, sentinel: sentinel.entry },
  });
  using client = await listen(gateway.mcp, 'legacy');
  pass(60_000);
  await askIn(gateway.mcp, client.session, 'tools/list');
  await expect.poll(() => reads(sentinel)).toBe(2);
  expect([reads(announcing), reads(old)]).toEqual([1, 1]);
});

test('while nobody is there it is left alone; who comes starts the reading', async () => {
  await using backend = await silent(0);
  await using gateway = await startGateway({ mcpServers: { srv: backend.entry } });
  backend.grow('two');
  pass(3_600_000);
  await ask(gateway.mcp, 'server/discover');
  expect(reads(backend)).toBe(1);
  using client = await listen(gateway.mcp, 'modern');
  await expect.poll(() => reads(backend)).toBe(2);
  await expect.poll(() => client.listChanges('tools')).toBeGreaterThan(0);
  expect(await names(gateway.mcp)).toEqual(['srv__one', 'srv__two']);
});

test('one that is down at that time is read when it is back', async () => {
  await using backend = await silent(20_000);
  await using gateway = await startGateway({ mcpServers: { srv: backend.entry } });
  const list = backend.script['tools/list'];
  backend.script['tools/list'] = () => ({ error: { code: -32603, message: 'Not now' } });
  pass(21_000);
  expect(await names(gateway.mcp)).toEqual(['srv__one']);
  await expect.poll(() => reads(backend)).toBe(2);
  expect(await names(gateway.mcp)).toEqual(['srv__one']);
  backend.grow('two');
  if (list) backend.script['tools/list'] = list;
  await expect.poll(() => names(gateway.mcp)).toEqual(['srv__one', 'srv__two']);
});
