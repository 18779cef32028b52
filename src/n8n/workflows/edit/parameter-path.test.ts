import { expect, test } from 'vitest';
import { removeAt, setAt, stepsOf, valueAt } from './parameter-path.ts';

test.each([
  ['url', ['url']],
  ['options.timeout', ['options', 'timeout']],
  ['rules[2].value', ['rules', 2, 'value']],
  ['a["key with.dot"].b', ['a', 'key with.dot', 'b']],
  ["a['it\\'s']", ['a', "it's"]],
  ['[0]', [0]],
])('parses %s as %j', (path, steps) => {
  expect(stepsOf(path)).toEqual(steps);
});

test.each(['', '.a', 'a..b', 'a[', 'a[x]', '__proto__.x', 'a.constructor.b', 'a["prototype"]'])(
  '"%s" is refused',
  (path) => {
    expect(() => stepsOf(path)).toThrow(/The path/);
  },
);

test('sets a value, and creates what is missing on the way', () => {
  const root: Record<string, unknown> = { list: [{ a: 1 }] };
  setAt(root, 'options.headers[0].name', 'x');
  setAt(root, 'list[0].a', 2);
  setAt(root, 'list[1]', 'end');
  expect(root).toEqual({ list: [{ a: 2 }, 'end'], options: { headers: [{ name: 'x' }] } });
});

test('accepts a leading "parameters", as diffs show it, unless there is a parameter of that name', () => {
  const root: Record<string, unknown> = { url: 'a' };
  setAt(root, 'parameters.url', 'b');
  expect(root).toEqual({ url: 'b' });
  const own: Record<string, unknown> = { parameters: { url: 'a' } };
  setAt(own, 'parameters.url', 'b');
  expect(own).toEqual({ parameters: { url: 'b' } });
});

test.each([
  ['list[3]', /skips items: the list has 1/],
  ['list.name', /where there is a list/],
  ['text.deeper', /not an object or a list/],
])('refuses to set %s', (path, message) => {
  expect(() => setAt({ list: [1], text: 'x' }, path, 1)).toThrow(message);
});

test('ignores inherited properties, and never writes to them', () => {
  expect(valueAt({}, 'toString')).toBeUndefined();
  expect(() => setAt({}, 'toString.x', 1)).not.toThrow();
  expect(Object.hasOwn(Object.prototype.toString, 'x')).toBe(false);
});

test('removes a value; later items move up', () => {
  const root = { a: { b: 1, c: 2 }, list: [1, 2, 3] };
  removeAt(root, 'a.b');
  removeAt(root, 'list[1]');
  expect(root).toEqual({ a: { c: 2 }, list: [1, 3] });
  expect(() => removeAt(root, 'a.nothing')).toThrow(/does not exist/);
});
