import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileName, hostileObject } from '../../test/support/hostile.ts';
import { own } from './own.ts';

test('finds only own properties, whatever their name', () => {
  fc.assert(
    fc.property(hostileObject, hostileName, (object, name) => {
      expect(own(object, name)).toBe(new Map(Object.entries(object)).get(name));
    }),
  );
});
