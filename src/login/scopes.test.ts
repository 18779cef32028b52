import { describe, expect, it } from 'vitest';
import { covers, mustAsk, scopesToAsk, unionOf } from './scopes.ts';

const nothing = {
  configured: undefined,
  challenged: undefined,
  listed: undefined,
  before: undefined,
  known: undefined,
};

describe('the requested scopes', () => {
  it.each([
    ['are none if nobody names any', {}, undefined],
    ['are those of the challenge, not all', { challenged: 'a', listed: ['a', 'b'] }, 'a'],
    ['are those the server lists', { listed: ['a', 'b'] }, 'a b'],
    ['are those the owner configured, if any', { configured: ['c'], challenged: 'a', listed: ['b'] }, 'c'],
    ['include those granted before', { before: 'a b', challenged: 'b c' }, 'a b c'],
    ['include offline_access if supported', { challenged: 'a', known: ['a', 'offline_access'] }, 'a offline_access'],
    ['are never only offline_access', { known: ['offline_access'] }, undefined],
  ])('%s', (_, given, expected) => {
    expect(scopesToAsk({ ...nothing, ...given })).toBe(expected);
  });
});

it('a union contains each scope once', () => {
  expect(unionOf('a b', undefined, ' b  c ')).toBe('a b c');
  expect(unionOf(undefined, '')).toBeUndefined();
});

it('covers means that all scopes are contained', () => {
  expect(covers('a b', 'b')).toBe(true);
  expect(covers('a b', undefined)).toBe(true);
  expect(covers(undefined, 'a')).toBe(false);
  expect(covers('ab', 'a')).toBe(false);
});

it('a refresh token needs a consent page', () => {
  expect(mustAsk('a offline_access')).toBe(true);
  expect(mustAsk('a')).toBe(false);
  expect(mustAsk(undefined)).toBe(false);
});
