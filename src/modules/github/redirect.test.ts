import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { isRedirect, movedTo } from './redirect.ts';

const BASE = 'https://ghe.example.com/api/v3';
const to = (location: string) => movedTo(new HttpError(301, '', { location }), BASE);

test('a renamed repository is told by its id, or by its name', () => {
  expect(to(`${BASE}/repositories/42/branches/feature%2Fx`)).toEqual({ id: '42', rest: ['branches', 'feature/x'] });
  expect(to(`${BASE}/repositories/42`)).toEqual({ id: '42', rest: [] });
  expect(to(`${BASE}/repos/acme/new/branches/main?page=2`)).toEqual({ name: 'acme/new', rest: ['branches', 'main'] });
});

test('other places are no repository', () => {
  for (const location of [
    'https://login.example.com/repositories/42',
    'http://ghe.example.com/api/v3/repositories/42',
    'https://ghe.example.com/repositories/42',
    `${BASE}/repositories/../user`,
    `${BASE}/user`,
    `${BASE}/repos/acme`,
    'https://',
    `${BASE}/repos/acme/%zz`,
  ])
    expect(to(location), location).toBeUndefined();
  expect(movedTo(new HttpError(301, '', {}), BASE)).toBeUndefined();
});

test('304 is no redirect', () => {
  expect(isRedirect(new HttpError(304, '', {}))).toBe(false);
  expect(isRedirect(new HttpError(307, '', {}))).toBe(true);
});
