import { expect, test } from 'vitest';
import type { Backend } from './backend.ts';
import type { Lane } from './lane.ts';
import { createTaskIndex, renameTask, taskIn } from './tasks.ts';

const capabilities = { tasks: {} };
const lane = () => ({}) as Lane;

function backendOf(name: string, shared: Lane[] = []): Backend {
  const settings = { isolation: 'shared', replicas: Math.max(1, shared.length) };
  return { name, settings, lanes: { shared }, catalogue: { capabilities } } as unknown as Backend;
}

function indexOf(...backends: Backend[]) {
  return { index: createTaskIndex(() => backends), backends };
}

test('an id stays as it is until another server gives the same', () => {
  const { index } = indexOf(backendOf('a'), backendOf('b'));
  expect(index.made({ server: 'a', own: '1' })).toBe('1');
  expect(index.made({ server: 'b', own: '2' })).toBe('2');
  expect(index.made({ server: 'b', own: '1' })).toBe('b+1');
});

test('replicas that count their tasks alike are told apart, and each is asked where its task is', () => {
  const [one, two, three] = [lane(), lane(), lane()];
  const a = backendOf('a', [one, two, three]);
  const { index } = indexOf(a);
  expect([one, two, three].map((made) => index.made({ server: 'a', own: '1', lane: made }))).toEqual([
    '1',
    'a+1',
    'a+2+1',
  ]);
  expect(index.places('a+1', 'me', [a])).toEqual([{ backend: a, lane: two, own: '1' }]);
  expect(index.at(a, three, '1')?.id).toBe('a+2+1');
});

test('the same place that gives an id again means a new task of that name', () => {
  const a = backendOf('a');
  const { index } = indexOf(a, backendOf('b'));
  const own = lane();
  index.made({ server: 'a', own: '1', lane: own, principal: 'ada' });
  expect(index.made({ server: 'a', own: '1', lane: own, principal: 'bob' })).toBe('1');
  expect(index.places('1', 'ada', [a])).toEqual([]);
  expect(index.places('1', 'bob', [a])).toHaveLength(1);
});

test('a server that was removed keeps no id from the others', () => {
  const a = backendOf('a');
  const b = backendOf('b');
  const { index, backends } = indexOf(a, b);
  index.made({ server: 'a', own: '1' });
  backends.splice(0, 1);
  expect(index.made({ server: 'b', own: '1' })).toBe('1');
  expect(index.places('1', 'me', [b])).toEqual([{ backend: b, own: '1' }]);
});

test("another's task is nowhere, nor is one of a server that may not be seen", () => {
  const a = backendOf('a');
  const b = backendOf('b');
  const { index } = indexOf(a, b);
  index.made({ server: 'a', own: '1', principal: 'ada' });
  expect(index.places('1', 'bob', [a, b])).toEqual([]);
  expect(index.places('1', 'ada', [b])).toEqual([]);
});

test('an unknown id may be anywhere, and one with the name of a server there under the rest of it', () => {
  const shared = [lane(), lane()];
  const a = backendOf('a', shared);
  const b = backendOf('b');
  const { index } = indexOf(a, b);
  expect(index.places('b+1', 'me', [a, b]).map(({ backend, own }) => [backend.name, own])).toEqual([
    ['a', 'b+1'],
    ['a', 'b+1'],
    ['b', 'b+1'],
    ['b', '1'],
  ]);
});

test('of very many the oldest are forgotten, wherever they were', () => {
  const { index, backends } = indexOf(backendOf('a'), backendOf('b'));
  index.made({ server: 'a', own: 'first' });
  for (let count = 0; count < 10_000; count++) index.made({ server: 'b', own: String(count) });
  expect(index.at(backends[0] as Backend, undefined, 'first')).toBeUndefined();
  expect(index.isTaken('first')).toBe(false);
});

test('a message is renamed wherever it names the task, and only there', () => {
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
