import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createVault } from './vault.ts';

const place = ['https://far.example/mcp', 'ana', 'https://issuer.example'];
const value = { access: 'canary-access', refresh: 'canary-refresh' };

it('opens what it sealed, and hides it in between', () => {
  const vault = createVault(randomBytes(32));
  const sealed = vault.seal(place, value);
  expect(sealed.toString('latin1')).not.toContain('canary');
  expect(vault.open(place, sealed)).toEqual(value);
  expect(vault.seal(place, value)).not.toEqual(sealed);
});

it('does not open a seal for another place, with another key, or altered', () => {
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
