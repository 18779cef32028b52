import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../kernel/nearest-names.ts';
import { distinctName, exposedName, exposedNames, hashedName } from './names.ts';

const LEGAL = /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]{0,43}[a-zA-Z0-9])?$/;

describe('the exposed name', () => {
  test('is the prefix and the tool, if that is legal', () => {
    expect(exposedName('github', 'create_issue')).toBe('github__create_issue');
    expect(exposedName('', 'echo')).toBe('echo');
    expect(exposedName('a', 'b'.repeat(42))).toBe(`a__${'b'.repeat(42)}`);
  });

  test.each([
    ['too long', 'b'.repeat(43)],
    ['in letters that cannot be spelt out', 'get_用户'],
    ['of nothing legal', '…'],
    ['empty', ''],
    ['very long', 'x'.repeat(10_000)],
  ])('of a tool that is %s is legal, the same each time, and has a hash', (_, tool) => {
    const name = exposedName('srv', tool);
    expect(name).toMatch(LEGAL);
    expect(name).toMatch(/[-_][0-9a-f]{6}$/);
    expect(exposedName('srv', tool)).toBe(name);
  });

  test.each([
    ['files.read', 'srv__files_read'],
    ['a/b', 'srv__a_b'],
    ['tool_', 'srv__tool'],
    ['überprüfen', 'srv__ueberpruefen'],
    ['Deploy 🚀', 'srv__Deploy'],
  ])('of %s is %s: spelt out, without a hash', (tool, name) => {
    expect(exposedName('srv', tool)).toBe(name);
  });

  test('of several that would be equal has a hash, except one that needs no change, in any order', () => {
    const tools = ['a.b', 'a/b', 'A:B', 'a_b', 'c.d', `${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`];
    const names = exposedNames('srv', tools);
    expect(new Set([...names.values()].map(fold)).size).toBe(tools.length);
    expect(names.get('a_b')).toBe('srv__a_b');
    expect(names.get('c.d')).toBe('srv__c_d');
    for (const tool of ['a.b', 'a/b', 'A:B']) expect(names.get(tool)).toBe(hashedName('srv', tool));
    expect(new Map([...exposedNames('srv', tools.toReversed())].toReversed())).toEqual(names);
  });

  test('with a hash never changes: clients may know it', () => {
    expect(hashedName('srv', 'files.read')).toBe('srv__files_read-cb3bbf');
    expect(hashedName('srv', 'überprüfen')).toMatch(/^srv__u_berpru_fen-[0-9a-f]{6}$/);
    expect(hashedName('srv', 'fine')).toBeUndefined();
  });

  test('is always legal, and the names of one source differ', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 20 }), (tools) => {
        const names = exposedNames('srv', tools);
        for (const name of names.values()) expect(name).toMatch(LEGAL);
        // Names that differ only in case are told apart later, with the names of all sources.
        const altered = tools.filter((tool) => hashedName('srv', tool) !== undefined);
        expect(new Set(altered.map((tool) => names.get(tool))).size).toBe(altered.length);
      }),
    );
  });

  test('of the second of two equal tools depends on its source', () => {
    const [a, b] = [distinctName('', 'echo', 'one'), distinctName('', 'echo', 'two')];
    expect(a).toMatch(LEGAL);
    expect(a).toMatch(/^one__echo-[0-9a-f]{6}$/);
    expect(fold(a)).not.toBe(fold(b));
  });
});
