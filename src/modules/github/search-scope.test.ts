import { expect, test } from 'vitest';
import { repositoriesIn } from './repositories.ts';
import { type Joined, scoped } from './search-scope.ts';

const search = (
  globs: string[] | undefined,
  query: string,
  { repo, joined = 'by or' }: { repo?: string; joined?: Joined } = {},
) => scoped({ query, repo, joined, repositories: repositoriesIn(globs, 'modules.github') });

test('without a list the query stays as it is', () => {
  expect(search(undefined, 'repo:any/thing x')).toEqual({ q: 'repo:any/thing x', isExact: true });
  expect(search(undefined, 'x', { repo: 'a/b' })).toEqual({ q: 'x repo:a/b', isExact: true });
});

test('the list becomes qualifiers', () => {
  expect(search(['acme/shop', 'Octo/*'], 'cart')).toEqual({ q: 'cart repo:acme/shop user:Octo', isExact: true });
  expect(search(['acme/shop', 'octo/*'], 'cart', { joined: 'with OR' }).q).toBe('cart (repo:acme/shop OR user:octo)');
  expect(search(['acme/app-*'], 'cart')).toEqual({ q: 'cart user:acme', isExact: false });
  expect(search(['*-team/x'], 'cart')).toEqual({ q: 'cart', isExact: false });
  expect(search(['*'], 'cart')).toEqual({ q: 'cart', isExact: true });
});

test('a query names only what is allowed', () => {
  expect(search(['acme/*', 'x/y'], 'repo:ACME/shop cart')).toEqual({ q: 'cart repo:ACME/shop', isExact: true });
  expect(search(['acme/*', 'x/y'], 'cart org:acme').q).toBe('cart org:acme');
  expect(search(['acme/*'], 'cart -repo:acme/old').q).toBe('cart -repo:acme/old user:acme');
  for (const query of [
    'cart repo:other/secret',
    'REPO:other/secret',
    'cart user:other',
    '(org:other)',
    'owner:other x',
    'x repo:"other/secret"',
    '"repo:other/secret"',
    'x OR(repo:other/secret)',
  ])
    expect(() => search(['acme/*'], query), query).toThrow('out of reach');
  expect(() => search(['acme/app-*'], 'user:acme x')).toThrow('out of reach');
  expect(() => search(['acme/*'], 'x', { repo: 'other/secret' })).toThrow('out of reach');
  for (const query of ['enterprise:big x', 'repo:acme x', 'user:acme/shop', 'repo:*/x'])
    expect(() => search(['acme/*'], query), query).toThrow('not understood');
});

test('operators cannot lead out of the scope', () => {
  expect(search(['acme/*'], 'a OR b', { joined: 'with OR' })).toEqual({ q: '(a OR b) user:acme', isExact: true });
  expect(search(['acme/*'], 'a OR b')).toEqual({ q: 'a OR b user:acme', isExact: false });
  for (const query of ['a) OR (b', 'a)', '(a', '"a) OR (b'])
    expect(() => search(['acme/*'], query, { joined: 'with OR' }), query).toThrow('do not match');
});

test('a quote that may be escaped makes no total exact', () => {
  const query = String.raw`"\" "x ) OR (y" \""`;
  expect(search(['acme/*'], query, { joined: 'with OR' }).isExact).toBe(false);
});

test('more repositories than a search can name', () => {
  const many = Array.from({ length: 7 }, (_, n) => `acme/r${n}`);
  expect(() => search(many, 'x', { joined: 'with OR' })).toThrow('Name one with repo');
  expect(search(many, 'x', { joined: 'with OR', repo: 'acme/r1' }).q).toBe('x repo:acme/r1');
  expect(search(many, 'x').isExact).toBe(true);
});
