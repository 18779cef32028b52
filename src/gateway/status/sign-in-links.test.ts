import { expect, it } from 'vitest';
import type { Principal } from '../../kernel/principal.ts';
import type { Backend } from '../backends/backend.ts';
import { createSignInLinks } from './sign-in-links.ts';

const server = (name: string, waits = true) => ({ name, lanes: { waitsForLogin: () => waits } }) as unknown as Backend;
const person = (id: string): Principal => ({ id, scopes: 'all' });

it('gives each caller a link of its own, which stays the same for a minute', () => {
  let now = 0;
  let made = 0;
  const link = createSignInLinks(
    (backend, { id }) => `${backend.name} ${id} ${++made}`,
    () => now,
  );
  expect(link(server('a'), person('ana'))).toBe('a ana 1');
  now = 59_000;
  expect(link(server('a'), person('ana'))).toBe('a ana 1');
  expect(link(server('a'), person('bob'))).toBe('a bob 2');
  expect(link(server('b'), person('ana'))).toBe('b ana 3');
  now = 61_000;
  expect(link(server('a'), person('ana'))).toBe('a ana 4');
});

it('gives none if the server does not wait for a login', () => {
  expect(createSignInLinks(() => 'a link')(server('a', false), person('ana'))).toBeUndefined();
});
