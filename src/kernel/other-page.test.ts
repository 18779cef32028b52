import { expect, test } from 'vitest';
import { isFromOtherPage } from './other-page.ts';

function asked(headers: Record<string, string>): boolean {
  const all: Record<string, string> = { host: '127.0.0.1:3500', ...headers };
  return isFromOtherPage((name) => all[name]);
}

test.each([
  ['a program', {}],
  ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3500' }],
  ['an address that somebody typed', { 'sec-fetch-site': 'none' }],
  ['our own page in an older browser', { origin: 'http://127.0.0.1:3500' }],
])('%s is no other page', (_, headers) => expect(asked(headers)).toBe(false));

test.each([
  ['another port', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' }],
  ['another port in an older browser', { origin: 'http://127.0.0.1:9' }],
  ['another name of this machine', { origin: 'http://localhost:3500' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['an unreadable origin', { origin: 'http://' }],
])('a page of %s is', (_, headers) => expect(asked(headers)).toBe(true));
