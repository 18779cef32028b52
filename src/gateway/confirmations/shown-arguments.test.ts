import { expect, test } from 'vitest';
import type { Json } from '../../kernel/source.ts';
import { shownArguments } from './shown-arguments.ts';

const shown = (given: Json, inputSchema: Json = { type: 'object' }, recorded?: readonly string[]) =>
  JSON.parse(
    shownArguments(given, { wire: { inputSchema }, recorded }, (text) => text.replaceAll('hunter2', '[redacted]')),
  ) as Json;

test('secrets are left out: known ones, and those whose name sounds like one', () => {
  expect(shown({ sql: 'alter user x password hunter2', apiKey: 'abc', id: 5 })).toEqual({
    sql: 'alter user x password [redacted]',
    apiKey: '[redacted]',
    id: 5,
  });
});

test('what the schema marks as secret is left out, wherever it is', () => {
  const schema = {
    type: 'object',
    properties: {
      plain: { type: 'string' },
      pin: { type: 'string', format: 'password' },
      list: { type: 'array', items: { $ref: '#/$defs/login' } },
      either: { anyOf: [{ type: 'number' }, { type: 'string', writeOnly: true }] },
      open: { type: 'object', additionalProperties: { writeOnly: true } },
    },
    $defs: { login: { properties: { who: {}, word: { writeOnly: true }, next: { $ref: '#/$defs/login' } } } },
  };
  expect(
    shown(
      {
        plain: 'a',
        pin: '1',
        list: [{ who: 'b', word: 'c', next: { word: 'd', who: 'e' } }],
        either: 'f',
        open: { any: 'g' },
      },
      schema,
    ),
  ).toEqual({
    plain: 'a',
    pin: '[redacted]',
    list: [{ who: 'b', word: '[redacted]', next: { word: '[redacted]', who: 'e' } }],
    either: '[redacted]',
    open: { any: '[redacted]' },
  });
});

test('of a tool that is given secrets, only the named values are shown', () => {
  expect(shown({ path: 'a/b', data: { x: 'secret' }, extra: 'y' }, {}, ['path'])).toEqual({
    path: 'a/b',
    data: '[redacted]',
    extra: '[redacted]',
  });
});

test('is cut, however large and deep it is', () => {
  let deep: Json = {};
  for (let index = 0; index < 1000; index++) deep = { deep };
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 'x'.repeat(10_000)]));
  const again = { $ref: '#' };
  const alternatives = Array.from({ length: 100 }, () => ({ anyOf: [again, again], allOf: [again] }));
  const loop = { $ref: '#/properties/a', properties: { a: again, deep: again }, anyOf: alternatives };
  let wide: unknown = 'x';
  for (let index = 0; index < 7; index++) wide = Array.from({ length: 30 }, () => wide);
  for (const given of [deep, many, { wide }, { list: Array.from({ length: 10_000 }, () => '🙂'.repeat(5000)) }])
    expect(JSON.stringify(shown(given, loop)).length).toBeLessThan(20_000);
  expect(shown({ list: Array.from({ length: 40 }, (_, index) => index) }).list).toHaveLength(31);
});

test('names from outside never reach a prototype', () => {
  const given = JSON.parse('{"__proto__": {"a": "b"}, "constructor": "c"}') as Json;
  expect(JSON.stringify(shown(given, { properties: {} }))).toContain('"constructor":"c"');
  expect(({} as Json).a).toBeUndefined();
});
