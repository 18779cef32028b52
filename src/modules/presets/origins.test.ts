import { expect, test } from 'vitest';
import { hostRules, isAllowed, origins } from './origins.ts';

test.each([
  ['https://example.com', 'https://example.com/page?x=1', true],
  ['https://example.com', 'https://example.com:443/', true],
  ['https://example.com', 'http://example.com/', false],
  ['https://example.com', 'https://example.com:8443/', false],
  ['https://example.com', 'https://sub.example.com/', false],
  ['https://example.com', 'https://example.com.evil.test/', false],
  ['https://example.com', 'https://example.com@evil.test/', false],
  ['https://example.com', 'example.com/page', true],
  ['http://localhost:*', 'http://localhost:8080/', true],
  ['http://localhost:*', 'http://localhost/', true],
  ['http://localhost:*', 'https://localhost:8080/', false],
  ['http://[::1]:3000', 'http://[::1]:3000/', true],
  ['https://example.com', 'file:///etc/passwd', false],
  ['https://example.com', 'javascript:alert(1)', false],
  ['https://example.com', 'data:text/html,x', false],
  ['https://example.com', 'view-source:https://example.com', false],
  ['https://example.com', 'about:blank', true],
  ['*', 'https://anything.test/', true],
])('%s covers %s: %s', (allowed, address, expected) => {
  expect(isAllowed([allowed], address)).toBe(expected);
});

test('rules name each origin once with its port; there are none if all are allowed', () => {
  const allowed = ['https://a.test', 'http://a.test', 'https://a.test/', 'http://b.test:*', 'http://[::1]:3000'];
  expect(hostRules(allowed)).toBe(
    'MAP a.test:443 a.test:443 , MAP a.test:80 a.test:80 , EXCLUDE b.test , MAP [::1]:3000 [::1]:3000 , MAP * ~NOTFOUND',
  );
  expect(hostRules(['http://[::1]:*'])).toBe('EXCLUDE ::1 , MAP * ~NOTFOUND');
  expect(hostRules(['*', 'https://a.test'])).toBeUndefined();
});

test.each([
  'example.com',
  'https://*.example.com',
  'https://user@example.com',
  'https://example.com/path',
  'ftp://a.test',
  '',
])('%j is no origin', (given) => {
  expect(origins.safeParse([given]).success).toBe(false);
});

test("a text with semicolons is a list, as in Playwright's own variable", () => {
  expect(origins.parse('https://a.test; http://b.test:*')).toEqual(['https://a.test', 'http://b.test:*']);
});
