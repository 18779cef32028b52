import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import { type Json, startGateway } from '../harness.ts';
import { ask, askIn } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';

// Fake only the clock: tests move it forward, and timers run in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const reads = (backend: ScriptedServer, method = 'tools/list') =>
  backend.received.filter((received) => received.method === method).length;

/** A 2026 server whose list grows without a notification. */
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
  'an expired list is read again, and a %s client is notified if it changed',
  async (era) => {
    await using backend = await silent(30_000);
    await using gateway = await startGateway({ mcpServers: {} });
    using client = await listen(gateway.mcp, era);
    await gateway.reload({ mcpServers: { srv: backend.entry } });
    // Wait for the notice of the new server: it must not count below.
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

    // Nothing changed, so there is no notice.
    pass(31_000);
    await names(gateway.mcp);
    await expect.poll(backend.answered).toBe(3);
    backend.grow('three');
    // Keep moving the clock: the gateway may still process the previous answer, which renews the expiry.
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

test('a list with ttl 0 is read at most every ten seconds', async () => {
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

test('the list of a server that announces changes, or of a 2025 server, is not read again', async () => {
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

test('a list is not read again while no client listens; a new listener triggers it', async () => {
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

test('a list that fails to load is read when the server is back', async () => {
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
