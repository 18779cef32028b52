import { describe, expect, it } from 'vitest';
import { parseExpression } from './javascript.ts';
import { namesIn } from './names.ts';
import { readSimple } from './simple.ts';

describe('a simple expression', () => {
  it.each([
    ' $json.a ',
    '$json',
    '$json["a b"].c[0]',
    "\n $json.class['it is'] ",
    " $('A b').item.json.c ",
    '$("A").first().json["x"]',
    "$('A').all().length",
    "$('').last()",
  ])('gives the same result without a tree as with one: %j', (code) => {
    const { program } = parseExpression(code);
    expect(readSimple(code)?.names).toEqual(program && namesIn(program));
  });

  it.each([
    '$json.',
    '$json.a b',
    '$json..a',
    '$json.1a',
    '$json["a]',
    '$json.a.b()',
    '$jsn.a',
    "$('It's').item",
    "$('A').item.",
    "$('A'.item",
    '$json?.a',
    '{ a: 1 }',
    '$json.constructor + 1',
    '',
  ])('is none of these: %j', (code) => {
    expect(readSimple(code)).toBeUndefined();
  });
});
