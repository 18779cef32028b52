import { expect, it } from 'vitest';
import { openSqlite } from '../store/sqlite/open.ts';
import { ensureOwner, passwordCheck, resetOwner } from './owner.ts';

it('the password is created once, is valid until the next one, and is not stored in clear', async () => {
  await using store = await openSqlite(':memory:');
  const check = passwordCheck(store.settings, () => undefined);
  expect(await check('')).toBe(false);
  const first = (await ensureOwner(store)) ?? '';
  expect(first).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  expect(await ensureOwner(store)).toBeUndefined();
  expect(await check(first)).toBe(true);
  expect(await check(`${first} `)).toBe(false);
  const second = await resetOwner(store.settings);
  expect(await check(first)).toBe(false);
  expect(await check(second)).toBe(true);
  expect(JSON.stringify(await store.settings.get('oauth.owner'))).not.toContain(second);
});

it('a password in the configuration is the only valid one', async () => {
  await using store = await openSqlite(':memory:');
  const stored = await resetOwner(store.settings);
  const check = passwordCheck(store.settings, () => 'caf\u00e9 au lait');
  expect(await check('cafe\u0301 au lait')).toBe(true);
  expect(await check(stored)).toBe(false);
});

it('does not check too many passwords at the same time', async () => {
  await using store = await openSqlite(':memory:');
  const password = await resetOwner(store.settings);
  const check = passwordCheck(store.settings, () => undefined);
  const answers = await Promise.all(Array.from({ length: 8 }, () => check('guess')));
  expect(answers.filter((answer) => answer === 'busy')).toHaveLength(3);
  expect(await check(password)).toBe(true);
});
