import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { brokenText, whereBroken } from './where.ts';

it.each([
  ['', 1, 1, 'a value'],
  ['{"a": }', 1, 7, 'a value'],
  ['{"a": 1,}', 1, 9, 'a name in double quotes'],
  ["{'a': 1}", 1, 2, 'a name in double quotes'],
  ['{"a" 1}', 1, 6, '":"'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, '"," or "}"'],
  ['[1 2]', 1, 4, '"," or "]"'],
  ['[1,]', 1, 4, 'a value'],
  ['"a', 1, 1, 'a text that ends with a double quote'],
  ['hello', 1, 1, 'a value'],
  ['{} {}', 1, 4, 'the end'],
  ['[01]', 1, 3, '"," or "]"'],
])('%j breaks at line %i, column %i', (text, line, column, expected) => {
  expect(whereBroken(text)).toEqual({ line, column, expected });
});

it('says it in a sentence', () => {
  expect(brokenText('{"a": }')).toBe('Line 1, column 7: a value is expected here.');
  expect(brokenText('{}')).toBeUndefined();
});

it('agrees with the parser about what is JSON', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u00e9"',
    '1',
    '-0.5e+3',
    'true',
    'null',
    ' ',
    '\n',
  );
  const texts = fc.oneof(
    fc.json(),
    fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(whereBroken(text) === undefined).toBe(isJson);
    }),
    { numRuns: 2000 },
  );
});

it('reads megabytes and hundreds of thousands of brackets', () => {
  expect(whereBroken(`{"a": "${'x\\n'.repeat(2_000_000)}"}`)).toBeUndefined();
  expect(whereBroken('['.repeat(200_000))).toMatchObject({ column: 200_001 });
});
