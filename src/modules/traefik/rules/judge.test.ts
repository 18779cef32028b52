import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { judge, type Syntax } from './judge.ts';
import { type Asked, requestOf } from './request.ts';

const verdict = (rule: string, asked: Asked | string, syntax: Syntax = 'v3') =>
  judge(rule, syntax, requestOf(typeof asked === 'string' ? { url: asked } : asked), { left: 1_000_000 });
const result = (...given: Parameters<typeof verdict>) => verdict(...given).result;

describe('version 3', () => {
  test.each<[string, Asked | string, string]>([
    ['Host(`example.com`)', 'http://EXAMPLE.com:8080/', 'matches'],
    ['Host(`EXAMPLE.com`)', 'http://example.com/', 'matches'],
    ['Host(`example.com.`)', 'http://example.com/', 'matches'],
    ['Host(`example.com`)', 'http://example.com./', 'matches'],
    ['Host(`example.com`)', 'http://www.example.com/', 'fails'],
    ['Host(`*.example.com`)', 'http://www.example.com/', 'matches'],
    ['Host(`*.example.com`)', 'http://a.b.example.com/', 'fails'],
    ['Host(`*.example.com`)', 'http://example.com/', 'fails'],
    ['Host(`*`)', 'http://anything/', 'matches'],
    ['Host(`example.com`)', { url: 'http://10.0.0.1/', headers: { Host: 'example.com:80' } }, 'matches'],
    ['Host(`::1`)', 'http://[::1]:80/', 'matches'],
    ['HostRegexp(`^[a-z]+\\.example\\.com$`)', 'http://Shop.example.com/', 'matches'],
    ['HostRegexp(`.+`)', 'http://x/', 'matches'],
    ['Path(`/products`)', 'http://x/products', 'matches'],
    ['Path(`/products`)', 'http://x/products/', 'fails'],
    ['Path(`/Products`)', 'http://x/products', 'fails'],
    ['PathPrefix(`/products`)', 'http://x/products-for-sale', 'matches'],
    ['PathPrefix(`/a b`)', 'http://x/a%20b/c', 'matches'],
    ['Path(`/a/b`)', 'http://x/a%2Fb', 'fails'],
    ['Path(`/a%2Fb`)', 'http://x/a%2fb', 'matches'],
    ['Path(`/é`)', 'http://x/%C3%A9', 'matches'],
    ['Path(`/b`)', 'http://x/a/../b', 'matches'],
    ['Path(`/a/b`)', 'http://x//a//b', 'matches'],
    ['PathRegexp(`^/v[0-9]+/`)', 'http://x/v12/users', 'matches'],
    ['Method(`post`)', { url: 'http://x', method: 'POST' }, 'matches'],
    ['Method(`POST`)', 'http://x', 'fails'],
    ['Header(`x-team`, `a`)', { url: 'http://x', headers: { 'X-Team': 'a' } }, 'matches'],
    ['Header(`X-Team`, `A`)', { url: 'http://x', headers: { 'X-Team': 'a' } }, 'fails'],
    ['Header(`Host`, `x`)', { url: 'http://x', headers: { Host: 'x' } }, 'fails'],
    ['HeaderRegexp(`Accept`, `json$`)', { url: 'http://x', headers: { accept: 'application/json' } }, 'matches'],
    ['Query(`mobile`, `true`)', 'http://x/?a=1&mobile=true', 'matches'],
    ['Query(`mobile`)', 'http://x/?mobile', 'matches'],
    ['Query(`mobile`)', 'http://x/?mobile=true', 'fails'],
    ['Query(`q`, `a b`)', 'http://x/?q=a+b', 'matches'],
    ['Query(`q`, `1`)', { url: 'http://x', query: { q: '1' } }, 'matches'],
    ['Query(`q`, `1`)', 'http://x/?q=1;z=2', 'fails'],
    ['QueryRegexp(`mobile`, `^(true|yes)$`)', 'http://x/?mobile=no&mobile=yes', 'matches'],
    ['QueryRegexp(`mobile`, `^.*$`)', 'http://x/', 'fails'],
    ['ClientIP(`10.0.0.0/8`)', { url: 'http://x', client_ip: '10.9.8.7' }, 'matches'],
    ['ClientIP(`10.0.0.1`)', { url: 'http://x', client_ip: '::ffff:10.0.0.1' }, 'matches'],
    ['ClientIP(`fe80::/10`)', { url: 'http://x', client_ip: 'fe80::1' }, 'matches'],
    ['ClientIP(`::1`)', { url: 'http://x', client_ip: '127.0.0.1' }, 'fails'],
    ['ClientIP(`10.0.0.0/8`)', 'http://x', 'unknown'],
    ['!ClientIP(`10.0.0.0/8`)', 'http://x', 'unknown'],
    ['ClientIP(`10.0.0.0/8`) && Path(`/no`)', 'http://x', 'fails'],
    ['ClientIP(`10.0.0.0/8`) || Path(`/`)', 'http://x', 'matches'],
    ['!Path(`/a`)', 'http://x/b', 'matches'],
    ['!(Path(`/a`) || Path(`/b`))', 'http://x/b', 'fails'],
    ['!(Path(`/a`) && Host(`x`))', 'http://x/b', 'matches'],
    ['!!Path(`/a`)', 'http://x/a', 'matches'],
    ['Path(`/a`) || Path(`/b`) && Host(`y`)', 'http://x/a', 'matches'],
    ['(Path(`/a`) || Path(`/b`)) && Host(`y`)', 'http://x/a', 'fails'],
    ['host(`x`) && PATHPREFIX(`/`) && Pathprefix("/\\x61")', 'http://x/a', 'matches'],
    ['Host(`x`) &&\n  Path(`/a`)', 'http://x/a', 'matches'],
    ['Host(`x`,)', 'http://x/a', 'matches'],
  ])('%s for %j: %s', (rule, asked, expected) => {
    expect(result(rule, asked)).toBe(expected);
  });

  test.each([
    ["Host('x')", 'not in single quotes'],
    ['Host(`x`, `y`)', 'it has 2 values instead of 1; several need ||'],
    ['Host(`x`)\n&& Path(`/a`)', 'a line break is allowed only after'],
    ['Nope(`x`)', 'there is no matcher Nope'],
    ['hOst(`x`)', 'there is no matcher hOst'],
    ['Headers(`a`, `b`)', 'there is no matcher Headers'],
    ['Host(``)', 'a value of Host is empty'],
    ['Host()', 'a value of Host is empty'],
    ['Path(`a`)', 'does not begin with a slash'],
    ['Host(`é.com`)', 'use punycode'],
    ['Host(`x`', 'expected a comma or a closing parenthesis, found the end'],
    ['Host(`x`) Path(`/`)', 'expected &&, || or the end'],
    ['Host(`x', 'does not end'],
    ['Host(x)', 'expected a value in backticks'],
    ['', 'expected a matcher'],
    ['PathRegexp(`(?=x)`)', 'is not known to Go'],
    ['ClientIP(`10.0.0.0/33`)', 'neither an address nor a range'],
    ['Host("\\q")', 'not known to Go'],
  ])('%s says that Traefik cannot read it', (rule, why) => {
    const { result: found, reasons } = verdict(rule, 'http://x/');
    expect(found).toBe('fails');
    expect(reasons[0]?.why).toContain('Traefik cannot read the rule');
    expect(reasons[0]?.why).toContain(why);
  });

  it('names what made it match, and what made it fail', () => {
    expect(verdict('Host(`x`) && (Path(`/b`) || PathPrefix(`/a`))', 'http://x/a')).toEqual({
      result: 'matches',
      reasons: [{ matcher: 'Host(`x`)' }, { matcher: 'PathPrefix(`/a`)' }],
      nearness: 2 / 3,
    });
    expect(verdict('Host(`x`) && Method(`POST`) && !Path(`/a`)', 'http://x/a')).toEqual({
      result: 'fails',
      reasons: [{ matcher: 'Method(`POST`)', why: 'the method is GET' }],
      nearness: 1 / 3,
    });
    expect(verdict('Header(`A`, `1`) || Query(`b`, `2`)', { url: 'http://x/?b=3' }).reasons).toEqual([
      { matcher: 'Header(`A`, `1`)', why: 'the request has no header A' },
      { matcher: 'Query(`b`, `2`)', why: 'the query parameter b has another value' },
    ]);
  });

  it('judges no rule that is too long, too deep, or too much work', () => {
    expect(verdict(`Host(\`${'x'.repeat(30_000)}\`)`, 'http://x/').reasons[0]?.why).toContain('too long');
    expect(verdict(`${'('.repeat(500)}Host(\`x\`)${')'.repeat(500)}`, 'http://x/').result).toBe('unknown');
    expect(verdict(`${'!'.repeat(5000)}Host(\`x\`)`, 'http://x/').result).toBe('unknown');
    const work = judge('PathRegexp(`(a|b)*c`)', 'v3', requestOf({ url: `http://x/${'ab'.repeat(500)}` }), { left: 50 });
    expect(work.result).toBe('unknown');
  });
});

describe('version 2', () => {
  test.each<[string, Asked | string, string]>([
    ['Host(`a.com`, `B.com`)', 'http://b.com/', 'matches'],
    ['HostHeader(`a.com`)', 'http://a.com:81/', 'matches'],
    ['Host(`*.a.com`)', 'http://x.a.com/', 'fails'],
    ['HostRegexp(`{sub:[a-z]+}.a.com`, `b.com`)', 'http://SHOP.a.com/', 'matches'],
    ['HostRegexp(`{sub:[a-z]+}.a.com`)', 'http://1.a.com/', 'fails'],
    ['HostRegexp(`{any:.+}`)', 'http://x/', 'matches'],
    ['HostRegexp(`axb`)', 'http://a.b/', 'fails'],
    ['Path(`/users/{id:[0-9]{1,3}}`)', 'http://x/users/12', 'matches'],
    ['Path(`/users/{id}`)', 'http://x/users/12/a', 'fails'],
    ['Path(`/a.b`)', 'http://x/axb', 'fails'],
    ['PathPrefix(`/a`, `/b`)', 'http://x/bee', 'matches'],
    ['PathPrefix(`/{v:v[12]}/`)', 'http://x/v2/users', 'matches'],
    ['Method(`GET`, `POST`)', { url: 'http://x', method: 'post' }, 'matches'],
    ['Headers(`A`, `1`)', { url: 'http://x', headers: { a: '1' } }, 'matches'],
    ['Headers(`A`, `1`, `B`, `2`)', { url: 'http://x', headers: { a: '1' } }, 'fails'],
    ['HeadersRegexp(`A`, `^[0-9]$`)', { url: 'http://x', headers: { a: '1' } }, 'matches'],
    ['Query(`page=1`, `sort=up`)', 'http://x/?sort=up&page=1', 'matches'],
    ['Query(`page=`)', 'http://x/?page=7', 'matches'],
    ['Query(`page={n:[0-9]+}`)', 'http://x/?page=x', 'fails'],
    ['ClientIP(`10.0.0.1`, `::1`)', { url: 'http://x', client_ip: '::1' }, 'matches'],
  ])('%s for %j: %s', (rule, asked, expected) => {
    expect(result(rule, asked, 'v2')).toBe(expected);
  });

  test.each([
    'Path(`/{id`)',
    'Path(`/}`)',
    'Path(`/{:a}`)',
    'Headers(`A`)',
    'PathRegexp(`a`)',
    'Header(`a`, `b`)',
    'Query(`a`)',
  ])('%s cannot be read', (rule) => {
    expect(verdict(rule, 'http://x/', 'v2').reasons[0]?.why).toContain('Traefik cannot read the rule');
  });
});

it('survives any rule', () => {
  const piece = fc.constantFrom(
    'Host(`x`)',
    'PathRegexp(`(a+)+$`)',
    '&&',
    '||',
    '!',
    '(',
    ')',
    '`',
    '"',
    ',',
    ' ',
    '\n',
    'Path(`/',
    'Header(`a`, `',
    '{id:[0-9',
    '\\',
    '(?i',
    'é',
  );
  const rule = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(rule, fc.constantFrom<Syntax>('v2', 'v3'), (given, syntax) => {
      expect(['matches', 'fails', 'unknown']).toContain(
        result(given, 'http://x/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', syntax),
      );
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [{ url: 'x/y' }, 'is not a URL. Write all of it'],
  [{ url: 'ftp://x' }, 'is not a URL'],
  [{ url: 'http://x', client_ip: 'me' }, 'client_ip: "me" is not an IP address'],
])('the request %j is refused', (asked, message) => {
  expect(() => requestOf(asked)).toThrow(message);
});
