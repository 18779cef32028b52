import { expect, it } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { readChallenge } from './challenge.ts';

it.each([
  [undefined, {}],
  ['', {}],
  ['Basic realm="x"', {}],
  ['Bearer', {}],
  ['Bearer error="invalid_token"', { error: 'invalid_token' }],
  [
    'Bearer resource_metadata="https://a.example/.well-known/x", scope="a b"',
    { resourceMetadata: 'https://a.example/.well-known/x', scope: 'a b' },
  ],
  ['bearer scope=a,error=insufficient_scope', { scope: 'a', error: 'insufficient_scope' }],
  ['Basic realm="Bearer", Bearer scope="a"', { scope: 'a' }],
  ['Bearer scope="a", Basic scope="b"', { scope: 'a' }],
  ['Bearer realm="with \\"quotes\\", scope=none", scope="a"', { scope: 'a' }],
  ['DPoP algs="ES256", scope="a"', { scope: 'a' }],
])('%s', (header, expected) => {
  expect(readChallenge(header)).toEqual(expected);
});

it('is parsed in linear time, whatever the server sends', () => {
  const { ms } = cpuTime(() => {
    for (const rubbish of ['a'.repeat(15_000), `${'a'.repeat(15_000)}=`, 'a="'.repeat(5000)])
      readChallenge(`Bearer ${rubbish}`);
  });
  expect(ms).toBeLessThan(200);
});
