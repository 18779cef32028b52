import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createVault } from './vault.ts';

const place = ['https://far.example/mcp', 'ana', 'https://issuer.example'];
const value = { access: 'canary-access', refresh: 'canary-refresh' };

it('what was sealed opens again, and cannot be read in between', () => {
  const vault = createVault(randomBytes(32));
  const sealed = vault.seal(place, value);
  expect(sealed.toString('latin1')).not.toContain('canary');
  expect(vault.open(place, sealed)).toEqual(value);
  expect(vault.seal(place, value)).not.toEqual(sealed);
});

it('a seal opens nowhere else, with no other key, and not when it was altered', () => {
  const stored = randomBytes(32);
  const vault = createVault(stored);
  const sealed = vault.seal(place, value);
  expect(vault.open([...place.slice(0, 1), 'ben', ...place.slice(2)], sealed)).toBeUndefined();
  expect(createVault(randomBytes(32)).open(place, sealed)).toBeUndefined();
  const altered = Buffer.from(sealed);
  altered[30] = altered[30] === 65 ? 66 : 65;
  expect(vault.open(place, altered)).toBeUndefined();
  expect(vault.open(place, Buffer.alloc(3))).toBeUndefined();
  expect(createVault(stored).open(place, sealed)).toEqual(value);
});
