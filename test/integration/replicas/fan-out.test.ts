import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openEvents } from '../../support/event-stream.ts';
import { listen } from '../../support/listening.ts';
import { backendOf, call, errorOf, toolNames } from '../../support/plain-calls.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { odd, scratch } from '../../support/processes.ts';
import { startReplicas } from '../../support/two-replicas.ts';
import { startReference } from '../harness.ts';

const SOON = { interval: 20, timeout: 10_000 };
const tool = (name: string, description = `Does ${name}.`) => ({ name, description, inputSchema: { type: 'object' } });

async function remove(url: string, name: string): Promise<void> {
  const confirm = errorOf(await call(url, 'gateway_remove_server', { name }))?.confirm;
  const { structuredContent } = await call(url, 'gateway_remove_server', { name, confirm });
  expect(structuredContent).toEqual({ name, removed: true });
}

describe.skipIf(postgresIsMissing)('what one replica changes, the other has', () => {
  test.each(['legacy', 'modern'] as const)(
    'a server added on one is listed on the other, whose %s clients are told within two seconds; removed, it is gone',
    async (era) => {
      await using reference = await startReference('http', 'legacy');
      await using replicas = await startReplicas({ gateway: { allowInternalUrls: true } });
      const { a, b } = replicas;
      using listener = await listen(b.mcp, era);
      const began = performance.now();
      await call(a.url, 'gateway_add_server', { name: 'ref', server: reference.entry });
      const added = performance.now();
      await expect.poll(() => listener.listChanges('tools'), SOON).toBeGreaterThan(0);
      expect(performance.now() - added).toBeLessThan(2000);
      await expect.poll(() => toolNames(b.url), SOON).toContain('ref__echo');
      expect(performance.now() - began).toBeLessThan(10_000);
      const before = listener.listChanges('tools');
      await remove(b.url, 'ref');
      await expect.poll(() => toolNames(a.url), SOON).not.toContain('ref__echo');
      await expect.poll(() => listener.listChanges('tools'), SOON).toBeGreaterThan(before);
      // Only the replica that was asked says who did it.
      expect(await replicas.count('gateway.server_added')).toBe(1);
      expect(await replicas.count('gateway.server_removed')).toBe(1);
      expect(await a.runtime.store.catalogues.get('ref')).toBeUndefined();
    },
  );

  test('a server of one file alone takes nothing from the other replica when it is removed there', async () => {
    await using reference = await startReference('http', 'legacy');
    const config = { mcpServers: { ref: { ...reference.entry, onChange: 'hold' } } };
    await using replicas = await startReplicas(config);
    const { a, b } = replicas;
    await expect.poll(() => b.runtime.store.definitions.get('ref'), SOON).not.toEqual(new Map());
    await a.reload({ store: replicas.database.url });
    expect(await toolNames(a.url)).not.toContain('ref__echo');
    expect(await toolNames(b.url)).toContain('ref__echo');
    expect(await b.runtime.store.catalogues.get('ref')).toBeDefined();
    expect((await b.runtime.store.definitions.get('ref')).size).toBeGreaterThan(0);
  });

  test('two replicas do not add two servers of one name', async () => {
    await using reference = await startReference('http', 'legacy');
    await using replicas = await startReplicas({ gateway: { allowInternalUrls: true } });
    const { a, b } = replicas;
    await call(a.url, 'gateway_add_server', { name: 'ref', server: reference.entry });
    const again = await call(b.url, 'gateway_add_server', { name: 'ref', server: { url: 'http://127.0.0.1:1/mcp' } });
    expect(again.isError).toBe(true);
    expect(await a.runtime.store.servers.list()).toMatchObject([{ name: 'ref', config: reference.entry }]);
  });

  test('lists that one read again are read again by the other, and a tool accepted on one is offered on both', async () => {
    await using files = await scratch();
    const list = (...tools: object[]) => writeFile(files.path('tools'), JSON.stringify(tools));
    await list(tool('one'), tool('two'));
    const server = { ...odd('--changes-tools', files.path('tools')), onChange: 'hold' };
    await using replicas = await startReplicas({ mcpServers: { keeper: server } });
    const { a, b } = replicas;
    const own = async (url: string) =>
      (await toolNames(url)).filter((name) => name.startsWith('keeper__') && !name.endsWith('announce'));
    expect([await own(a.url), await own(b.url)]).toEqual([
      ['keeper__one', 'keeper__two'],
      ['keeper__one', 'keeper__two'],
    ]);
    using listener = await listen(b.mcp, 'legacy');
    // Each replica has its own process of this server, and only that of A tells.
    await list(tool('one', 'Changed.'), tool('two'), tool('three'));
    await call(a.url, 'keeper__announce');
    await expect.poll(() => own(a.url), SOON).toEqual(['keeper__three', 'keeper__two']);
    await expect.poll(() => own(b.url), SOON).toEqual(['keeper__three', 'keeper__two']);
    await expect.poll(() => listener.listChanges('tools'), SOON).toBeGreaterThan(0);
    expect(await backendOf(b.url, 'keeper')).toMatchObject({ held: ['one'] });
    expect(await replicas.count('gateway.tool_changed')).toBe(1);

    const before = listener.listChanges('tools');
    const accepted = await call(a.url, 'gateway_accept_tools', { name: 'keeper' });
    expect(accepted.structuredContent).toEqual({ name: 'keeper', accepted: ['one'] });
    await expect.poll(() => own(b.url), SOON).toEqual(['keeper__one', 'keeper__three', 'keeper__two']);
    await expect.poll(() => listener.listChanges('tools'), SOON).toBeGreaterThan(before);
    expect(await backendOf(b.url, 'keeper')).not.toHaveProperty('held');
    expect(await replicas.count('gateway.tool_accepted')).toBe(1);
  });

  test('an event stream of one shows the calls on the other', async () => {
    await using reference = await startReference('http', 'legacy');
    await using replicas = await startReplicas({ mcpServers: { ref: reference.entry } });
    const { a, b } = replicas;
    using stream = await openEvents(`${b.url}/api/v1/events?event_type=tool.call_completed`, {
      headers: { accept: 'text/event-stream' },
    });
    await expect.poll(stream.text, SOON).toContain(': connected');
    for (let n = 0; n < 5; n++) await call(n % 2 === 0 ? a.url : b.url, 'ref__echo', { text: String(n) });
    await expect.poll(() => stream.events.length, SOON).toBe(5);
    const ids = stream.events.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((x, y) => x - y));
    expect(new Set(ids).size).toBe(5);
  });
});
