import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileName, hostileObject } from '../../test/support/hostile.ts';
import { own } from './own.ts';

test('only what an object has itself is there, whatever it is called', () => {
  fc.assert(
    fc.property(hostileObject, hostileName, (object, name) => {
      expect(own(object, name)).toBe(new Map(Object.entries(object)).get(name));
    }),
  );
});
