import { expect, it } from 'vitest';
import { entryOf, problemIn, type Typed, words } from './entry.ts';

const typed: Typed = { name: 'docs', kind: 'url', url: ' https://example.com/mcp ', command: '', pairs: [] };

it.each([
  ['npx -y pkg', ['npx', '-y', 'pkg']],
  [`  run "two words" 'a "b"' c\\ d ""  `, ['run', 'two words', 'a "b"', 'c d', '']],
  ['open "never closed', ['open', 'never closed']],
  ['C:\\\\tool', ['C:\\tool']],
  ['', []],
])('splits %s like a shell', (line, expected) => {
  expect(words(line)).toEqual(expected);
});

it('makes an entry of what was typed', () => {
  const pairs = [
    { name: ' Authorization ', value: 'Bearer x' },
    { name: '', value: 'left out' },
    { name: '__proto__', value: 'kept' },
  ];
  const entry = entryOf({ ...typed, pairs });
  expect(JSON.stringify(entry)).toBe(
    '{"url":"https://example.com/mcp","headers":{"Authorization":"Bearer x","__proto__":"kept"}}',
  );
  expect(entryOf({ ...typed, kind: 'command', command: 'node a.js' })).toEqual({ command: 'node', args: ['a.js'] });
});

it.each([
  [typed, undefined],
  [{ ...typed, name: 'a b' }, 'The name has'],
  [{ ...typed, url: 'javascript:alert(1)' }, 'The address begins'],
  [{ ...typed, kind: 'command' as const, command: ' ' }, 'Say which program'],
])('says what is missing', (one, expected) => {
  if (expected === undefined) expect(problemIn(one)).toBeUndefined();
  else expect(problemIn(one)).toContain(expected);
});
