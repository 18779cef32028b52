import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brief, isSame, own, renamed, withEntry } from './json.ts';

describe('changing an object', () => {
  it('keeps the places of properties', () => {
    expect(JSON.stringify(withEntry({ a: 1, b: 2 }, 'a', 3))).toBe('{"a":3,"b":2}');
    expect(JSON.stringify(withEntry({ a: 1, b: 2 }, 'c', 3))).toBe('{"a":1,"b":2,"c":3}');
    expect(JSON.stringify(withEntry({ a: 1, b: 2 }, 'a', undefined))).toBe('{"b":2}');
    expect(JSON.stringify(renamed({ a: 1, b: 2 }, 'a', 'z'))).toBe('{"z":1,"b":2}');
    expect(withEntry(undefined, 'a', 1)).toEqual({ a: 1 });
  });

  it('knows no special names', () => {
    const changed = withEntry({ a: 1 }, '__proto__', 'text');
    expect(JSON.stringify(changed)).toBe('{"a":1,"__proto__":"text"}');
    expect(own(changed, '__proto__')).toBe('text');
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
    expect(own({}, 'constructor')).toBeUndefined();
    expect(JSON.stringify(renamed(changed, '__proto__', 'b'))).toBe('{"a":1,"b":"text"}');
  });

  it('changes that property only', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (object, name, value) => {
        const changed = withEntry(object, name, value);
        expect(own(changed, name)).toBe(value);
        expect(isSame(withEntry(changed, name, own(object, name)), object)).toBe(true);
      }),
    );
  });
});

it('compares as JSON does, whatever the order', () => {
  expect(isSame({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
  expect(isSame({ a: undefined }, {})).toBe(false);
  expect(isSame([1], { 0: 1 })).toBe(false);
  expect(isSame({ constructor: 1 }, {})).toBe(false);
});

it('shortens what is long', () => {
  expect(brief('x'.repeat(100))).toHaveLength(80);
  expect(brief({ a: 1 })).toBe('{"a":1}');
  expect(brief(undefined)).toBe('');
});
