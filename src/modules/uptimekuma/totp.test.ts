import { expect, test } from 'vitest';
import { isBase32, totpCode } from './totp.ts';

// The secret and the codes of RFC 6238, appendix B, cut to six digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i s the code is %s', (seconds, code) => {
  expect(totpCode(SECRET, seconds * 1000)).toBe(code);
});

test('steps move by half a minute', () => {
  expect(totpCode(SECRET, 1_111_111_109_000, 1)).toBe('050471');
  expect(totpCode(SECRET, 1_111_111_111_000, -1)).toBe('081804');
});

test('the secret may be written as authenticators show it', () => {
  expect(totpCode('gezd gnbv gy3t qojq gezd gnbv gy3t qojq==', 59_000)).toBe('287082');
  expect(isBase32('GEZD-GNBV')).toBe(true);
  expect(isBase32('0189!')).toBe(false);
});
