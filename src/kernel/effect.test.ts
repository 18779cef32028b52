import { expect, test } from 'vitest';
import { effectOf } from './effect.ts';

test.each([
  [{ readOnlyHint: true }, 'read'],
  [{ readOnlyHint: true, destructiveHint: true }, 'read'],
  [{ destructiveHint: false }, 'create'],
  [{ destructiveHint: false, idempotentHint: true }, 'update'],
  [{ destructiveHint: true, idempotentHint: true }, 'execute'],
  [{}, 'execute'],
  [undefined, 'execute'],
  [null, 'execute'],
  [{ readOnlyHint: 'true' }, 'execute'],
])('a foreign tool that says %o counts as %s', (annotations, effect) => {
  expect(effectOf(annotations)).toBe(effect);
});
