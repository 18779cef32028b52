import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import { runCommand, UsageError } from './frame.ts';

let out: string[];
let err: string[];
beforeEach(() => {
  out = [];
  err = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void out.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void err.push(line));
});
afterEach(() => vi.restoreAllMocks());

const greet: Command = {
  name: 'greet',
  summary: 'Says hello',
  usage: 'sluice greet NAME [--loud]',
  example: 'sluice greet Bob --loud',
  positionals: [1, 2],
  options: { loud: { type: 'boolean', short: 'l', describe: 'Say it louder' } },
  async run({ values, positionals }) {
    if (positionals[0] === 'nobody') throw new UsageError('somebody has to be there');
    if (positionals[0] === 'away') throw new AppError('unavailable', 'nobody answers');
    if (positionals[0] === 'ill') throw new AppError('internal', 'it hurts');
    out.push(`hello ${positionals.join(' ')}${values.loud ? '!' : ''}`);
    return 0;
  },
};
const wait: Command = {
  name: 'wait',
  summary: 'Waits',
  usage: 'sluice wait',
  example: 'sluice wait',
  run: async () => 0,
};
const run = (...argv: string[]) => runCommand([greet, wait], argv, '1.2.3');

test('a command gets its options and words', async () => {
  expect(await run('greet', '-l', 'Bob')).toBe(0);
  expect(out).toEqual(['hello Bob!']);
});

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (word) => {
    expect(await run(word)).toBe(0);
    expect(out[0]).toContain('greet  Says hello\n  wait   Waits');
  });

  test('nothing at all is wrong usage, and shows the list', async () => {
    expect(await run()).toBe(2);
    expect(out[0]).toContain('greet');
  });

  test.each([
    ['greet', '--help'],
    ['help', 'greet'],
    ['--help', 'greet'],
  ])('%s %s shows the options and an example', async (...argv) => {
    expect(await run(...argv)).toBe(0);
    expect(out[0]).toBe(
      'Says hello\n\nUsage: sluice greet NAME [--loud]\n\nOptions:\n  -l, --loud  Say it louder\n\nExample: sluice greet Bob --loud',
    );
  });

  test('--version', async () => {
    expect(await run('--version')).toBe(0);
    expect(out).toEqual(['1.2.3']);
  });
});

describe('what is typed wrong', () => {
  test.each([
    [['gret'], /no command gret\. Did you mean greet\?/],
    [['help', 'wiat'], /Did you mean wait\?/],
    [['xyz'], /no command xyz\. `sluice --help`/],
    [['greet'], /something is missing\nUsage: sluice greet/],
    [['greet', 'a', 'b', 'c', 'd'], /no place for c d/],
    [['wait', 'long'], /no place for long/],
    [['greet', 'Bob', '--quiet'], /--quiet/],
    [['greet', 'nobody'], /somebody has to be there\nUsage/],
  ])('%j is exit code 2', async (argv, message) => {
    expect(await run(...argv)).toBe(2);
    expect(err.join('\n')).toMatch(message);
    expect(out).toEqual([]);
  });
});

test('what cannot be reached is 3, any other failure 1', async () => {
  expect(await run('greet', 'away')).toBe(3);
  expect(await run('greet', 'ill')).toBe(1);
  expect(err).toEqual(['sluice greet: nobody answers', 'sluice greet: it hurts']);
});
