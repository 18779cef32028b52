import { expect, test } from 'vitest';
import { sharedByReplicas } from '../../../test/support/shared-by-replicas.ts';
import type { Shared } from '../../kernel/shared.ts';
import type { Json } from '../../kernel/source.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { Store } from '../../store/store.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { MODERN } from '../../wire/versions.ts';
import { serverSchema } from '../config/server-entry.ts';
import { createOffer } from './offer.ts';

const upstream = {
  handshake: { era: 'modern', version: MODERN, capabilities: { tools: {} }, info: { name: 's', version: '1' } },
} as unknown as Upstream;
const tool = (name: string, description = ''): Json => ({ name, description, inputSchema: { type: 'object' } });

/** One replica with a connection to a server whose tools can change without a word. */
function replica(store: Store, shared: Shared, settings: Json = {}) {
  let puts = 0;
  let reads = 0;
  const recorded: Json[] = [];
  const changes: string[] = [];
  let tools: Json[] | (() => Json[]) = [tool('a')];
  const offer = createOffer({
    server: 'server',
    settings: () => serverSchema.parse({ url: 'http://127.0.0.1:1/mcp', ...settings }),
    store: {
      ...store,
      shared,
      catalogues: {
        ...store.catalogues,
        async put(...given) {
          await store.catalogues.put(...given);
          puts++;
        },
      },
    },
    events: { record: (fact: Json) => void recorded.push(fact) },
    ask: async () => {
      reads++;
      return { result: { tools: typeof tools === 'function' ? tools() : tools } };
    },
    running: () => upstream,
    wanted: () => false,
    changed: (kinds) => void changes.push(...kinds),
    failed(error) {
      throw error;
    },
  });
  return {
    offer,
    set tools(next: typeof tools) {
      tools = next;
    },
    names: () => offer.catalogue()?.tools.map(({ name }) => name),
    puts: () => puts,
    reads: () => reads,
    recorded: () => recorded.map(({ type }) => type),
    changes,
    async start() {
      await offer.restore();
      await offer.read(upstream);
      await expect.poll(() => store.catalogues.get('server')).toBeDefined();
    },
    async hear() {
      for (const { server: _, ...known } of await store.catalogues.all()) offer.heard(known);
    },
    [Symbol.dispose]: () => offer.stop(),
  };
}

test('a replica that got no notice reads its lists again when another one stored others', async () => {
  await using store = await openSqlite(':memory:');
  const [a, b] = sharedByReplicas();
  using one = replica(store, a);
  using two = replica(store, b);
  await one.start();
  await two.start();
  two.changes.length = 0;
  one.tools = two.tools = [tool('a'), tool('b')];
  one.offer.refresh(['tools']);
  await expect.poll(one.puts).toBe(2);
  await two.hear();
  await expect.poll(two.names).toEqual(['a', 'b']);
  expect(two.changes).toEqual(['tools']);
  const reads = two.reads();
  await two.hear();
  expect(two.reads()).toBe(reads);
});

test('what was read before a restart is not stored again', async () => {
  await using store = await openSqlite(':memory:');
  const [a] = sharedByReplicas();
  using first = replica(store, a);
  await first.start();
  using second = replica(store, a);
  await second.start();
  expect([first.puts(), second.puts()]).toEqual([1, 0]);
});

test('two replicas whose servers differ do not keep each other busy', async () => {
  await using store = await openSqlite(':memory:');
  const [a, b] = sharedByReplicas();
  using one = replica(store, a);
  using two = replica(store, b);
  two.tools = [tool('a', 'another version')];
  await one.start();
  await two.start();
  await expect.poll(two.puts).toBe(1);
  for (let n = 0; n < 5; n++) {
    await one.hear();
    await two.hear();
  }
  await expect.poll(one.reads).toBe(2);
  expect([one.puts(), two.puts(), two.reads()]).toEqual([1, 1, 1]);
  // One read its tools again, which did not change there: that is no change of a definition.
  expect(one.recorded()).toEqual([]);
  expect(two.recorded()).toEqual(['gateway.tool_changed']);
});

test('a server that answers differently each time is read again after a rest only', async () => {
  await using store = await openSqlite(':memory:');
  const [a, b] = sharedByReplicas();
  using one = replica(store, a);
  using two = replica(store, b);
  let n = 0;
  one.tools = two.tools = () => [tool('a', String(++n))];
  await one.start();
  await two.start();
  for (let round = 0; round < 20; round++) {
    await one.hear();
    await two.hear();
    await new Promise((resolve) => void setImmediate(resolve));
  }
  expect(one.reads() + two.reads()).toBeLessThanOrEqual(4);
});

test('a replica without a login lists what another one could read', async () => {
  await using store = await openSqlite(':memory:');
  const [a, b] = sharedByReplicas();
  using one = replica(store, a);
  using two = replica(store, b);
  await two.offer.restore();
  await one.start();
  await two.hear();
  await expect.poll(two.names).toEqual(['a']);
});

test('one change that two replicas notice is recorded once, and accepting it on one releases it on the other', async () => {
  await using store = await openSqlite(':memory:');
  const [a, b] = sharedByReplicas();
  using one = replica(store, a, { onChange: 'hold' });
  using two = replica(store, b, { onChange: 'hold' });
  await one.start();
  await two.start();
  one.tools = two.tools = [tool('a', 'changed')];
  await Promise.all([one.offer.read(upstream), two.offer.read(upstream)]);
  expect([...one.recorded(), ...two.recorded()]).toEqual(['gateway.tool_changed']);
  expect([[...one.offer.held.keys()], [...two.offer.held.keys()]]).toEqual([['a'], ['a']]);
  two.changes.length = 0;
  expect(await one.offer.accept()).toEqual(['a']);
  await two.offer.acceptedElsewhere();
  expect([...two.offer.held.keys()]).toEqual([]);
  expect(two.changes).toEqual(['tools']);
});

test('a tool that changed is held back while definitions are read again', async () => {
  await using store = await openSqlite(':memory:');
  const [a] = sharedByReplicas();
  using one = replica(store, a, { onChange: 'hold' });
  await one.start();
  one.tools = [tool('a', 'changed')];
  await Promise.all([one.offer.read(upstream), one.offer.acceptedElsewhere(), one.offer.acceptedElsewhere()]);
  await one.offer.acceptedElsewhere();
  expect([...one.offer.held.keys()]).toEqual(['a']);
});
