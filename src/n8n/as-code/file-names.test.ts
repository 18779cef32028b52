import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fileKey, freeFile, isFileName, isNamedFor, slugOf } from './file-names.ts';

const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 300 })
  .map((points) => String.fromCodePoint(...points));

describe('the file of a workflow', () => {
  it.each([
    ['Send invoices', 'send-invoices'],
    ['  Über uns: Rechnungen! ', 'über-uns-rechnungen'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\x\\..', 'c-x'],
    ['注文の処理', '注文の処理'],
    ['ÉTÉ', 'été'],
    ['E\u0301te\u0301', 'été'],
    ['😀', 'workflow'],
    ['', 'workflow'],
    ['CON', 'con-workflow'],
    ['com¹', 'com¹-workflow'],
    ['.hidden', 'hidden'],
    [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
    ['注'.repeat(90), '注'.repeat(66)],
  ])('of %j is %s.json', (name, slug) => expect(slugOf(name)).toBe(slug));

  test('is a name that any file system takes', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const file = `${slugOf(name)}.json`;
        expect(isFileName(file)).toBe(true);
        expect(fileKey(file)).toBe(file);
        expect(Buffer.byteLength(file)).toBeLessThan(240);
        expect(isNamedFor(file, name)).toBe(true);
      }),
    );
  });

  it('has a number if the name is taken, also by a file that differs only in case', () => {
    const taken = new Set(['Orders.json', 'orders-2.json'].map(fileKey));
    expect(freeFile('Orders', (key) => taken.has(key))).toBe('orders-3.json');
    expect(isNamedFor('orders-3.json', 'Orders')).toBe(true);
    expect(isNamedFor('my-orders.json', 'Orders')).toBe(false);
    expect(isNamedFor('orders-late.json', 'Orders')).toBe(false);
  });

  it.each(['../a.json', 'a/b.json', 'a\\b.json', '.a.json', 'a.txt', 'a\n.json', 'c:a.json', '', '.json'])(
    'is never %j',
    (file) => expect(isFileName(file)).toBe(false),
  );
});
