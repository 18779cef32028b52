import { expect, test } from 'vitest';
import { removeAt, setAt, stepsOf, valueAt } from './parameter-path.ts';

test.each([
  ['url', ['url']],
  ['options.timeout', ['options', 'timeout']],
  ['rules[2].value', ['rules', 2, 'value']],
  ['a["key with.dot"].b', ['a', 'key with.dot', 'b']],
  ["a['it\\'s']", ['a', "it's"]],
  ['[0]', [0]],
])('%s leads through %j', (path, steps) => {
  expect(stepsOf(path)).toEqual(steps);
});

test.each(['', '.a', 'a..b', 'a[', 'a[x]', '__proto__.x', 'a.constructor.b', 'a["prototype"]'])(
  '"%s" is refused',
  (path) => {
    expect(() => stepsOf(path)).toThrow(/The path/);
  },
);

test('a value is put where the path leads, and what is missing on the way is made', () => {
  const root: Record<string, unknown> = { list: [{ a: 1 }] };
  setAt(root, 'options.headers[0].name', 'x');
  setAt(root, 'list[0].a', 2);
  setAt(root, 'list[1]', 'end');
  expect(root).toEqual({ list: [{ a: 2 }, 'end'], options: { headers: [{ name: 'x' }] } });
});

test('the name that diffs use is taken too, unless there is such a parameter', () => {
  const root: Record<string, unknown> = { url: 'a' };
  setAt(root, 'parameters.url', 'b');
  expect(root).toEqual({ url: 'b' });
  const own: Record<string, unknown> = { parameters: { url: 'a' } };
  setAt(own, 'parameters.url', 'b');
  expect(own).toEqual({ parameters: { url: 'b' } });
});

test.each([
  ['list[3]', /skips items: the list has 1/],
  ['list.name', /where a list stands/],
  ['text.deeper', /not an object or a list/],
])('nothing can be put at %s', (path, message) => {
  expect(() => setAt({ list: [1], text: 'x' }, path, 1)).toThrow(message);
});

test('an inherited name is no value, and is not written through', () => {
  expect(valueAt({}, 'toString')).toBeUndefined();
  expect(() => setAt({}, 'toString.x', 1)).not.toThrow();
  expect(Object.hasOwn(Object.prototype.toString, 'x')).toBe(false);
});

test('a value is taken away; the items after it move up', () => {
  const root = { a: { b: 1, c: 2 }, list: [1, 2, 3] };
  removeAt(root, 'a.b');
  removeAt(root, 'list[1]');
  expect(root).toEqual({ a: { c: 2 }, list: [1, 3] });
  expect(() => removeAt(root, 'a.nothing')).toThrow(/does not exist/);
});
