import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Replica } from '../kernel/shared.ts';
import type { OwnedTask, Store, TaskOwners } from '../store/store.ts';
import type { Backend } from './backends/backend.ts';
import type { Lane } from './backends/lane.ts';
import { createTaskIndex, renameTask, type TaskIndex, taskIn } from './tasks.ts';

const capabilities = { tasks: {} };
const lane = (state = 'running') => ({ state: { state } }) as unknown as Lane & { state: { state: string } };

function backendOf(name: string, shared: Lane[] = [], isolation = 'shared'): Backend {
  const settings = { isolation, replicas: Math.max(1, shared.length) };
  return { name, settings, lanes: { shared }, catalogue: { capabilities } } as unknown as Backend;
}

let store: Store;
beforeEach(async () => {
  store = await openSqlite(':memory:');
});
afterEach(() => store[Symbol.asyncDispose]());

/** Each call simulates a restart of the gateway, with the same store. */
function indexOf(...backends: Backend[]) {
  return { index: createTaskIndex(() => backends, store.taskOwners), backends };
}

const principal = 'ada';

async function placesOf(index: TaskIndex, id: string, who: string, visible: Backend[]) {
  const task = await index.find(id, who);
  return task ? index.places(task, visible) : [];
}

test('an id stays unchanged, unless another server already uses it', async () => {
  const { index } = indexOf(backendOf('a'), backendOf('b'));
  expect(await index.made({ server: 'a', own: '1', principal })).toBe('1');
  expect(await index.made({ server: 'b', own: '2', principal })).toBe('2');
  expect(await index.made({ server: 'b', own: '1', principal })).toBe('b+1');
});

test('of two equal ids at the same time, one gets its server in front', async () => {
  const { index } = indexOf(backendOf('a'), backendOf('b'));
  const made = [index.made({ server: 'a', own: '1', principal }), index.made({ server: 'b', own: '1', principal })];
  expect(new Set(await Promise.all(made))).toEqual(new Set(['1', 'b+1']));
});

test('equal ids of replicas are told apart, and each request goes to the right replica', async () => {
  const [one, two, three] = [lane(), lane(), lane()];
  const a = backendOf('a', [one, two, three]);
  const { index } = indexOf(a);
  const ids: string[] = [];
  for (const made of [one, two, three]) ids.push(await index.made({ server: 'a', own: '1', lane: made, principal }));
  expect(ids).toEqual(['1', 'a+1', 'a+2+1']);
  expect(await placesOf(index, 'a+1', principal, [a])).toEqual([{ backend: a, lane: two, own: '1' }]);
  expect(index.at(a, three, '1')?.id).toBe('a+2+1');
  // Without a connection it is ambiguous.
  expect(index.at(a, undefined, '1')).toBeUndefined();
});

test('if the same connection uses an id again, it is a new task', async () => {
  const a = backendOf('a');
  const { index } = indexOf(a, backendOf('b'));
  const own = lane();
  await index.made({ server: 'a', own: '1', lane: own, principal: 'ada' });
  expect(await index.made({ server: 'a', own: '1', lane: own, principal: 'bob' })).toBe('1');
  expect(await placesOf(index, '1', 'ada', [a])).toEqual([]);
  expect(await placesOf(index, '1', 'bob', [a])).toHaveLength(1);
});

test('tasks of a closed connection are not confused with those of the next one', async () => {
  const a = backendOf('a');
  const { index } = indexOf(a);
  const before = lane();
  await index.made({ server: 'a', own: '1', lane: before, principal: 'ada' });
  before.state.state = 'stopped';
  expect(await placesOf(index, '1', 'ada', [a])).toEqual([{ backend: a, lane: undefined, own: '1' }]);
  expect(await index.made({ server: 'a', own: '1', lane: lane(), principal: 'bob' })).toBe('1');
  expect(await placesOf(index, '1', 'ada', [a])).toEqual([]);
});

test('the ids of a removed server are free for others', async () => {
  const a = backendOf('a');
  const b = backendOf('b');
  const { index, backends } = indexOf(a, b);
  await index.made({ server: 'a', own: '1', principal });
  backends.splice(0, 1);
  expect(await index.made({ server: 'b', own: '1', principal })).toBe('1');
  expect(await placesOf(index, '1', principal, [b])).toEqual([{ backend: b, lane: undefined, own: '1' }]);
});

test("another caller's task, one of a hidden server, and one that nobody made are not found", async () => {
  const a = backendOf('a');
  const b = backendOf('b');
  const { index } = indexOf(a, b);
  await index.made({ server: 'a', own: '1', principal: 'ada' });
  expect(await placesOf(index, '1', 'bob', [a, b])).toEqual([]);
  expect(await placesOf(index, '1', 'ada', [b])).toEqual([]);
  for (const id of ['2', 'a+1', 'a+2', '', '__proto__']) expect(await placesOf(index, id, 'ada', [a, b])).toEqual([]);
});

test('an overlong id belongs to nobody', async () => {
  const a = backendOf('a');
  const own = 'x'.repeat(2000);
  const { index } = indexOf(a);
  expect(await index.made({ server: 'a', own, principal })).toBe(own);
  expect(await placesOf(index, own, principal, [a])).toEqual([]);
});

test('a server that claims every id in advance blocks nobody', async () => {
  const { index } = indexOf(backendOf('a'), backendOf('b'));
  await index.made({ server: 'a', own: '1', principal });
  await index.made({ server: 'a', own: 'b+1', principal });
  for (let count = 2; count < 200; count++) await index.made({ server: 'a', own: `b+${count}+1`, principal });
  expect(await index.made({ server: 'b', own: '1', principal })).toMatch(/^b\+[\da-f-]{36}\+1$/);
});

describe('past what is held in memory', () => {
  test('a task still belongs to its owner only', async () => {
    const a = backendOf('a');
    const { index } = indexOf(a);
    await index.made({ server: 'a', own: 'first', principal: 'ada' });
    for (let count = 0; count < 10_000; count++)
      await index.made({ server: 'a', own: String(count), principal: 'bob' });
    expect(index.at(a, undefined, 'first')).toBeUndefined();
    expect(await placesOf(index, 'first', 'bob', [a])).toEqual([]);
    expect(await placesOf(index, 'first', 'ada', [a])).toHaveLength(1);
    expect(await index.made({ server: 'a', own: 'last', principal: 'bob' })).toBe('last');
    const mine = await index.ofPrincipal(a, undefined, ['first', '0', 'last', 'unknown'], 'ada');
    expect([...mine.keys()]).toEqual(['first']);
  });
});

describe('after a restart', () => {
  test('a task belongs to its owner under the same id, and no other task gets that id', async () => {
    const a = backendOf('a');
    const b = backendOf('b');
    const before = indexOf(a, b).index;
    await before.made({ server: 'a', own: '1', lane: lane(), principal: 'ada' });
    await before.made({ server: 'b', own: '1', lane: lane(), principal: 'bob' });
    const { index } = indexOf(a, b);
    expect(await placesOf(index, '1', 'bob', [a, b])).toEqual([]);
    expect(await placesOf(index, 'b+1', 'ada', [a, b])).toEqual([]);
    expect(await placesOf(index, '1', 'ada', [a, b])).toEqual([{ backend: a, lane: undefined, own: '1' }]);
    expect(await placesOf(index, 'b+1', 'bob', [a, b])).toEqual([{ backend: b, lane: undefined, own: '1' }]);
    const c = backendOf('c');
    expect(await indexOf(a, b, c).index.made({ server: 'c', own: '1', principal: 'eve' })).toBe('c+1');
  });

  test('an id that a server uses again is a new task', async () => {
    const a = backendOf('a');
    await indexOf(a).index.made({ server: 'a', own: '1', lane: lane(), principal: 'ada' });
    const { index } = indexOf(a);
    expect(await index.made({ server: 'a', own: '1', lane: lane(), principal: 'bob' })).toBe('1');
    expect(await placesOf(index, '1', 'ada', [a])).toEqual([]);
    expect(await placesOf(indexOf(a).index, '1', 'ada', [a])).toEqual([]);
  });

  test('a task may be at any replica, until it is found', async () => {
    const shared = [lane(), lane()];
    const a = backendOf('a', shared);
    await indexOf(a).index.made({ server: 'a', own: '1', lane: lane(), principal: 'ada' });
    const { index } = indexOf(a);
    const places = await placesOf(index, '1', 'ada', [a]);
    expect(places.map((place) => place.lane)).toEqual(shared);
    const task = await index.find('1', 'ada');
    if (!task || !places[1]) throw new Error('not found');
    index.found(task, places[1]);
    expect(await placesOf(index, '1', 'ada', [a])).toEqual([places[1]]);
  });

  test('two tasks with the same id at replicas cannot be told apart, and belong to nobody', async () => {
    const a = backendOf('a', [lane(), lane()]);
    const before = indexOf(a).index;
    for (const who of ['ada', 'bob']) await before.made({ server: 'a', own: '1', lane: lane(), principal: who });
    for (const [id, who] of [
      ['1', 'ada'],
      ['a+1', 'bob'],
      ['a+1', 'ada'],
    ] as const)
      expect(await placesOf(indexOf(a).index, id, who, [a])).toEqual([]);
    expect(await indexOf(a).index.ofPrincipal(a, undefined, ['1'], 'ada')).toEqual(new Map());
  });

  test('with private connections, two tasks with the same id belong to two people', async () => {
    const a = backendOf('a', [], 'principal');
    const before = indexOf(a).index;
    for (const who of ['ada', 'bob']) await before.made({ server: 'a', own: '1', lane: lane(), principal: who });
    const { index } = indexOf(a);
    expect(await placesOf(index, 'a+1', 'bob', [a])).toHaveLength(1);
    expect([...(await index.ofPrincipal(a, undefined, ['1'], 'ada')).values()]).toMatchObject([{ id: '1' }]);
    expect(await index.made({ server: 'a', own: '1', lane: lane(), principal: 'eve' })).toBe('a+2+1');
    expect(await index.made({ server: 'a', own: '1', lane: lane(), principal: 'ada' })).toBe('1');
    expect(await placesOf(index, 'a+1', 'bob', [a])).toHaveLength(1);
  });

  test('no client is notified of a task: sessions are not stored', async () => {
    const a = backendOf('a');
    await indexOf(a).index.made({ server: 'a', own: '1', principal: 'ada', session: 's' });
    const { index } = indexOf(a);
    expect(index.at(a, undefined, '1')).toBeUndefined();
    await index.find('1', 'ada');
    expect(index.at(a, undefined, '1')?.session).toBeUndefined();
  });
});

test.each([
  [undefined, 7 * 24],
  [1000, 1],
  [10 * 3_600_000, 10],
  [Number.MAX_VALUE, 30 * 24],
])('a task with a ttl of %s ms is remembered for %i hours', async (ttlMs, hours) => {
  const { index } = indexOf(backendOf('a'));
  await index.made({ server: 'a', own: '1', principal, ttlMs });
  const left = ((await store.taskOwners.get('1'))?.expires ?? 0) - Date.now();
  expect(Math.round(left / 3_600_000)).toBe(hours);
});

test('a store that fails does not fail the call that made a task', async () => {
  const { index } = indexOf(backendOf('a'));
  store.taskOwners.put = () => Promise.reject(new Error('disk full'));
  expect(await index.made({ server: 'a', own: '1', principal })).toBe('1');
  expect(await index.find('1', principal)).toMatchObject({ own: '1' });
  await store[Symbol.asyncDispose]();
  const id = await index.made({ server: 'a', own: '2', principal });
  expect(await index.find(id, principal)).toMatchObject({ own: '2' });
  await expect(index.find('3', principal)).rejects.toMatchObject({ code: 'unavailable' });
});

test('renaming changes a message only where it names the task', () => {
  const message = { taskId: '1', other: '1', task: { taskId: '1' }, _meta: { keep: 1 } };
  expect(renameTask(message, '1', 'a+1')).toEqual({
    taskId: 'a+1',
    other: '1',
    task: { taskId: 'a+1' },
    _meta: { keep: 1 },
  });
  expect(renameTask(message, '2', 'a+2')).toEqual(message);
  expect(renameTask(message, '1', '1')).toBe(message);
  const related = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: '1', more: 2 } } };
  expect(taskIn(related)).toBe('1');
  expect(taskIn(renameTask(related, '1', 'a+1'))).toBe('a+1');
});

describe('with replicas, tasks of a server that each replica runs for itself', () => {
  const local = (name: string) => {
    const settings = { isolation: 'shared', replicas: 1, transport: { kind: 'stdio' } };
    return { name, settings, lanes: { shared: [] }, catalogue: { capabilities } } as unknown as Backend;
  };
  let rows: Map<string, OwnedTask>;
  let alive: Set<string>;
  beforeEach(() => {
    rows = new Map();
    alive = new Set(['one', 'two']);
  });

  function replica(self: string) {
    const kept: TaskOwners = {
      put: async (task) => void rows.set(task.id, task),
      get: async (id) => rows.get(id),
      at: async (server, own) => [...rows.values()].filter((row) => row.server === server && own.includes(row.own)),
    };
    const find = async (id: string) => (alive.has(id) ? ({ id } as Replica) : undefined);
    return createTaskIndex(() => [local('a')], kept, { self, find });
  }

  test('are asked for at the replica that made them, while it lives', async () => {
    const [one, two] = [replica('one'), replica('two')];
    const id = await one.made({ server: 'a', own: '1', principal });
    const here = await one.find(id, principal);
    const there = await two.find(id, principal);
    expect(here && (await one.maker(here))).toBeUndefined();
    expect(there && (await two.maker(there))).toEqual({ replica: 'one' });
    alive.delete('one');
    expect(there && (await two.maker(there))).toBe('gone');
    expect(await two.find(id, 'eve')).toBeUndefined();
  });

  test('keep apart if two processes use the same id', async () => {
    const [one, two] = [replica('one'), replica('two')];
    const first = await one.made({ server: 'a', own: '1', principal });
    const second = await two.made({ server: 'a', own: '1', principal });
    expect([first, second]).toEqual(['1', 'a+1']);
    expect(await one.find(second, principal)).toMatchObject({ own: '1', replica: 'two' });
    expect(await two.find(first, principal)).toMatchObject({ own: '1', replica: 'one' });
    expect([...(await two.ofPrincipal(local('a'), undefined, ['1'], principal)).values()]).toMatchObject([
      { id: 'a+1' },
    ]);
  });
});
