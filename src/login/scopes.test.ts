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
    ['nothing where nobody says anything', {}, undefined],
    ['what the challenge says, not all there is', { challenged: 'a', listed: ['a', 'b'] }, 'a'],
    ['what the server lists', { listed: ['a', 'b'] }, 'a b'],
    ['what the owner wrote, before all else', { configured: ['c'], challenged: 'a', listed: ['b'] }, 'c'],
    ['what was granted before as well', { before: 'a b', challenged: 'b c' }, 'a b c'],
    ['to stay signed in, where that is known', { challenged: 'a', known: ['a', 'offline_access'] }, 'a offline_access'],
    ['but not that alone', { known: ['offline_access'] }, undefined],
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
