import { expect, it, test } from 'vitest';
import { masked, maskedRule, maskedText } from './masked.ts';
import { shownRule } from './shown-elements.ts';

it('hides what is secret in a middleware, and shows the rest', () => {
  expect(
    masked({
      basicAuth: { users: ['ann:$apr1$hash:x', 'bob'], realm: 'shop', headerField: 'X-User' },
      headers: {
        customRequestHeaders: { Authorization: 'Basic abc', 'X-Auth-Key': 'k', 'X-Team': 'a' },
        sslRedirect: true,
      },
      forwardAuth: {
        address: 'http://ann:pw@auth/?token=t&x=1',
        authResponseHeaders: ['X-User'],
        tls: { key: '-----BEGIN RSA PRIVATE KEY-----\nabc', cert: '/a.pem' },
      },
      plugin: { mine: { apiKey: 'k', tokens: ['a', 'b'], pem: '-----BEGIN PRIVATE KEY-----' } },
      sticky: { cookie: { name: 'lb', secure: true } },
    }),
  ).toEqual({
    basicAuth: { users: ['ann:[redacted]', 'bob'], realm: 'shop', headerField: 'X-User' },
    headers: {
      customRequestHeaders: { Authorization: '[redacted]', 'X-Auth-Key': '[redacted]', 'X-Team': 'a' },
      sslRedirect: true,
    },
    forwardAuth: {
      address: 'http://[redacted]@auth/?token=[redacted]&x=1',
      authResponseHeaders: ['X-User'],
      tls: { key: '[redacted]', cert: '/a.pem' },
    },
    plugin: { mine: { apiKey: '[redacted]', tokens: ['[redacted]', '[redacted]'], pem: '[redacted]' } },
    sticky: { cookie: { name: 'lb', secure: true } },
  });
});

test.each([
  ['Host(`a`) && Header(`X-Api-Key`, `abc`)', 'Host(`a`) && Header(`X-Api-Key`, `[redacted]`)'],
  ['HeadersRegexp(`Authorization`, "abc.*")', 'HeadersRegexp(`Authorization`, "[redacted]")'],
  ['Headers(`A`, `1`, `X-Token`, `2`)', 'Headers(`A`, `1`, `X-Token`, `[redacted]`)'],
  ['Query(`token=abc`, `a=b`)', 'Query(`token=[redacted]`, `a=b`)'],
  ['Query(`token`, `abc`)', 'Query(`token`, `[redacted]`)'],
  ['Host(`token.example.com`)', 'Host(`token.example.com`)'],
])('%s', (rule, expected) => {
  expect(maskedRule(rule)).toBe(expected);
});

it('goes no deeper than it can', () => {
  const deep: { in?: unknown } = {};
  deep.in = deep;
  expect(JSON.stringify(masked(deep))).toContain('[…]');
  expect(maskedText('no url')).toBe('no url');
});

it('hides what is cut off, too', () => {
  const rule = `${'Host(`a.example.com`) || '.repeat(14)}Header(\`X-Api-Key\`, \`${'s3cret'.repeat(10)}\`)`;
  expect(shownRule(rule)).not.toContain('s3cret');
  const long = 's3cret'.repeat(200);
  expect(maskedText(`http://joe:${long}@a/?token=${long}`)).toBe('http://[redacted]@a/?token=[redacted]');
});
