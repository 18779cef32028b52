import { describe, expect, it } from 'vitest';
import { comparesAs, readsAs } from './convertible.ts';

describe('a value', () => {
  it.each([
    ['5', 'number'],
    ['', 'number'],
    ['TRUE', 'boolean'],
    [1, 'boolean'],
    ["['a']", 'array'],
    ["{ a: 'b' }", 'object'],
    ['example.com', 'url'],
    ['add_up', 'string-alphanumeric'],
    ['09:30', 'time'],
    [null, 'number'],
    [{}, 'string'],
    ['anything', 'an unknown type'],
  ])('%j can be read as %s', (value, type) => expect(readsAs(value, type)).toBe(true));

  it.each([
    ['many', 'number'],
    ['', 'boolean'],
    ['yes', 'boolean'],
    ['{}', 'array'],
    ['[]', 'object'],
    ['a b', 'url'],
    ['add up', 'string-alphanumeric'],
    ['', 'string-alphanumeric'],
    ['soon', 'dateTime'],
    ['{ a: process.exit() }', 'object'],
  ])('%j cannot be read as %s', (value, type) => expect(readsAs(value, type)).toBe(false));

  it('is compared strictly unless told otherwise', () => {
    expect(comparesAs('5', 'number', { strict: true, version: 2 })).toBe(false);
    expect(comparesAs('5', 'number', { strict: false, version: 2 })).toBe(true);
    expect(comparesAs('', 'number', { strict: true, version: 3 })).toBe(true);
    expect(comparesAs('yes', 'boolean', { strict: false, version: 2 })).toBe(true);
    expect(comparesAs(['a'], 'object', { strict: true, version: 2 })).toBe(true);
  });
});

describe('an object', () => {
  it('with odd toString and valueOf is read only as an object', () => {
    for (const odd of [{ toString: 1, valueOf: 2 }, Object.create(null) as object]) {
      expect(['number', 'boolean', 'dateTime', 'url', 'array'].map((type) => readsAs(odd, type))).not.toContain(true);
      expect(readsAs(odd, 'object')).toBe(true);
    }
  });
});
