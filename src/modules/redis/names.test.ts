import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, nameOf, namesInReach } from './names.ts';

describe('names', () => {
  test('come back as they were, whatever their bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (given) => {
        const bytes = Buffer.from(given);
        expect(bytesOf(nameOf(bytes)).equals(bytes)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const name of [text, `base64:${text}`]) {
          const bytes = Buffer.from(name);
          expect(bytesOf(nameOf(bytes)).equals(bytes)).toBe(true);
        }
      }),
    );
  });

  test('a text that only looks encoded is itself', () => {
    expect(bytesOf('base64:hello').toString()).toBe('base64:hello');
    expect(bytesOf(`base64:${Buffer.from('hello').toString('base64')}`).toString()).toBe('base64:aGVsbG8=');
  });

  const reach = (globs?: string[]) =>
    namesInReach({ globs, what: 'key', setting: 'modules.redis.keys', own: 'sluice:' });

  test('what is on the list is in reach, and what is Sluice’s own never', () => {
    const names = reach(['app:*', 'sluice:*']);
    expect(names.need('app:1').toString()).toBe('app:1');
    expect(() => names.need('other')).toThrow('modules.redis.keys in sluice.yaml allows app:*');
    expect(() => names.need('sluice:limits')).toThrow('belongs to Sluice itself');
    expect(names.has(Buffer.from('sluice:limits'))).toBe(false);
    expect(names.has(Buffer.from('sluice'))).toBe(false);
    expect(reach().has(Buffer.from('sluice'))).toBe(true);
    expect(reach().has(Buffer.from([0xff]))).toBe(true);
  });

  test('an encoded name does not slip through', () => {
    const own = Buffer.concat([Buffer.from('sluice:'), Buffer.from([0xff])]);
    expect(() => reach().need(nameOf(own))).toThrow('belongs to Sluice itself');
    expect(() => reach(['app:*']).need(nameOf(Buffer.from([0xff])))).toThrow('modules.redis.keys');
  });
});
