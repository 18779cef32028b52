import { describe, expect, it } from 'vitest';
import { found, indexed, isWish } from './matching.ts';
import type { Brief } from './tool-types.ts';

const tool = (name: string, more: Partial<Brief> = {}): Brief => ({
  name,
  description: '',
  source: 'demo',
  effect: 'read',
  exposure: 'flat',
  bytes: { flat: 1, compact: 1 },
  ...more,
});

const all = indexed([
  tool('read_list', { description: 'Reads what echo wrote' }),
  tool('demo__echo_all', { effect: 'update' }),
  tool('echo', { source: 'other' }),
  tool('my_echo', { title: 'Copies text', exposure: 'search' }),
]);
const names = (...given: Parameters<typeof found> extends [unknown, ...infer R] ? R : never) =>
  found(all, ...given).map(({ name }) => name);

describe('tools are found', () => {
  it('all, in their order, without words', () => {
    expect(names('', {})).toEqual(['read_list', 'demo__echo_all', 'echo', 'my_echo']);
    expect(names('  ', {})).toHaveLength(4);
  });

  it('by name, the nearest first, and then by what is said about them', () => {
    expect(names('ECHO', {})).toEqual(['echo', 'demo__echo_all', 'my_echo', 'read_list']);
    expect(names('copies echo', {})).toEqual(['my_echo']);
    expect(names('nothing', {})).toEqual([]);
  });

  it('by a wish, as the gateway ranks them', () => {
    expect(names('repeat what I say', {}, ['my_echo', 'echo', 'gone'])).toEqual(['my_echo', 'echo']);
    expect(names('echo', {}, ['read_list'])).toEqual(['read_list', 'echo', 'demo__echo_all', 'my_echo']);
  });

  it('by filters besides', () => {
    expect(names('', { source: 'other' })).toEqual(['echo']);
    expect(names('echo', { effect: 'update' })).toEqual(['demo__echo_all']);
    expect(names('', { exposure: 'search' })).toEqual(['my_echo']);
    expect(names('repeat', { source: 'other' }, ['my_echo'])).toEqual([]);
  });
});

it('several words are a wish', () => {
  expect(['echo', ' echo ', '', 'say it'].map(isWish)).toEqual([false, false, false, true]);
});
