import { expect, test } from 'vitest';
import { eraOf, negotiate } from './versions.ts';

test.each([
  ['2024-11-05', 'legacy'],
  ['2025-11-25', 'legacy'],
  ['2026-07-27', 'legacy'],
  ['2026-07-28', 'modern'],
  ['2027-01-01', 'modern'],
  ['draft', 'modern'],
  ['DRAFT-2026-v1', 'modern'],
])('%s is %s', (version, era) => {
  expect(eraOf(version)).toBe(era);
});

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  ['1999-12-31', '2025-11-25'],
  [undefined, '2025-11-25'],
  [42, '2025-11-25'],
])('initialize with %o is answered with %s', (requested, version) => {
  expect(negotiate(requested)).toBe(version);
});
