import { describe, expect, it } from 'vitest';
import { applyFix } from './apply-fix.ts';
import type { PatchOperation } from '../finding.ts';

const fixed = (workflow: unknown, ...patch: PatchOperation[]) =>
  applyFix(workflow, { description: '', safe: true, patch });

describe('applying a fix', () => {
  it('adds, replaces and removes, in objects and lists', () => {
    const given = { a: 1, list: [1, 2], 'x/y': { '~': 0 } };
    expect(fixed(given, { op: 'add', path: '/b', value: 2 })).toMatchObject({ b: 2 });
    expect(fixed(given, { op: 'replace', path: '/a', value: 2 })).toMatchObject({ a: 2 });
    expect(fixed(given, { op: 'remove', path: '/a' })).toEqual({ list: [1, 2], 'x/y': { '~': 0 } });
    expect(fixed(given, { op: 'add', path: '/list/0', value: 0 })).toMatchObject({ list: [0, 1, 2] });
    expect(fixed(given, { op: 'add', path: '/list/-', value: 3 })).toMatchObject({ list: [1, 2, 3] });
    expect(fixed(given, { op: 'remove', path: '/list/0' })).toMatchObject({ list: [2] });
    expect(fixed(given, { op: 'replace', path: '/x~1y/~0', value: 1 })).toMatchObject({ 'x/y': { '~': 1 } });
    expect(given).toEqual({ a: 1, list: [1, 2], 'x/y': { '~': 0 } });
  });

  it.each([
    [{ op: 'remove', path: '/gone' }],
    [{ op: 'replace', path: '/gone', value: 1 }],
    [{ op: 'add', path: '/gone/deeper', value: 1 }],
    [{ op: 'replace', path: '/list/2', value: 1 }],
    [{ op: 'remove', path: '/list/-' }],
    [{ op: 'add', path: '/a/b', value: 1 }],
    [{ op: 'remove', path: '' }],
    [{ op: 'add', path: '/constructor/x', value: 1 }],
  ] as PatchOperation[][])('does nothing if the patch no longer fits: %j', (operation) => {
    expect(fixed({ a: 1, list: [1, 2] }, operation)).toBeUndefined();
  });

  it('cannot change the prototype of an object', () => {
    const result = fixed({}, { op: 'add', path: '/__proto__', value: { polluted: true } }) as object;
    expect(Object.keys(result)).toEqual(['__proto__']);
    expect((result as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
