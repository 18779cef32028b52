import { expect, test } from 'vitest';
import { overall, type Seen, type State } from './seen.ts';

const seen = (state: State, isOnlyShown?: true): Seen => ({ state, seen: '', ...(isOnlyShown && { isOnlyShown }) });

test.each<[State, Seen[]]>([
  ['ok', [seen('ok'), seen('ok')]],
  ['unknown', [seen('ok'), seen('unknown')]],
  ['warning', [seen('warning'), seen('unknown'), seen('ok')]],
  ['failing', [seen('ok'), seen('failing'), seen('warning')]],
  ['ok', [seen('ok'), seen('unknown', true)]],
  ['unknown', [seen('unknown', true)]],
  ['unknown', []],
])('%s', (state, all) => {
  expect(overall(all)).toBe(state);
});
