import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigError } from '../host/config/problems.ts';
import { AppError } from '../kernel/errors.ts';
import type { Action, CommandEntry, CommandOption, Verbs } from '../kernel/command.ts';
import { runCommand, UsageError } from './frame.ts';
import { textsIn } from './values.ts';

let out: string[];
let err: string[];
beforeEach(() => {
  out = [];
  err = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void out.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void err.push(line));
});
afterEach(() => vi.restoreAllMocks());

const greet: Action = {
  usage: 'NAME [--loud]',
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
const wait: Action = { usage: '', example: 'sluice wait', run: async () => 0 };
const noted = (verb: string) => async (args: object) => {
  out.push(`${verb} ${JSON.stringify(args)}`);
  return 0;
};
const to: CommandOption = { type: 'string', describe: 'Where to' };
const move: Verbs = {
  example: 'sluice move walk --to Rome',
  byDefault: 'rest',
  verbs: {
    walk: {
      summary: 'Walks',
      usage: '--to T [--slow]',
      example: 'sluice move walk --to Rome',
      options: { to, slow: { type: 'boolean', describe: 'Take your time' } },
      run: noted('walk'),
    },
    rest: { summary: 'Sits down', usage: '', example: 'sluice move rest', run: noted('rest') },
  },
};
const fly: Action = { usage: '--to T', example: 'sluice move fly --to Rome', options: { to }, run: noted('fly') };

const ride: Action = { usage: '[--to T]', example: 'sluice move by train', options: { to }, run: noted('train') };

const commands = new Map<string, CommandEntry<object>>([
  ['greet', { summary: 'Says hello', load: async () => greet }],
  ['wait', { summary: 'Waits', load: async () => wait }],
  ['move', { summary: 'Goes somewhere', load: async () => move }],
  ['move fly', { summary: 'Flies', load: async () => fly }],
  ['move by train', { summary: 'Rides', load: async () => ride }],
]);
const run = (...argv: string[]) => runCommand(commands, argv, { version: '1.2.3' });

test('a command gets its options and words', async () => {
  expect(await run('greet', '-l', 'Bob')).toBe(0);
  expect(out).toEqual(['hello Bob!']);
});

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (word) => {
    expect(await run(word)).toBe(0);
    expect(out[0]).toContain('greet  Says hello\n  wait   Waits\n  move   Goes somewhere\n\n');
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
    [['greet'], /an argument is missing\nUsage: sluice greet/],
    [['greet', 'a', 'b', 'c', 'd'], /unexpected argument: c d/],
    [['wait', 'long'], /unexpected argument: long/],
    [['greet', 'Bob', '--quiet'], /--quiet/],
    [['greet', 'nobody'], /somebody has to be there\nUsage/],
    [
      ['move', 'swim'],
      /sluice move: say walk, rest, fly or by train, not swim\nUsage: sluice move walk \| rest \| fly \| by train …/,
    ],
    [['move', 'rest', '--to', 'Rome'], /sluice move rest: unknown option --to\nUsage: sluice move rest$/],
    [['move', 'fly', 'home'], /sluice move fly: unexpected argument: home/],
    [['move fly'], /no command move fly/],
    [['move', 'by'], /say walk, rest, fly or by train, not by/],
    [['move', 'by', 'train', 'soon'], /sluice move by train: unexpected argument: soon/],
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

describe('verbs', () => {
  test.each([
    [['move', 'walk', '--to', 'Rome'], 'walk {"values":{"to":"Rome"},"positionals":[]}'],
    [['move', '--to', 'Rome', 'walk'], 'walk {"values":{"to":"Rome"},"positionals":[]}'],
    [['move', 'by', 'train', '--to', 'Rome'], 'train {"values":{"to":"Rome"},"positionals":[]}'],
    [['move', 'fly', '--to', 'Rome'], 'fly {"values":{"to":"Rome"},"positionals":[]}'],
    [['move'], 'rest {"values":{},"positionals":[]}'],
  ])('%j runs the verb, whichever part brings it', async (argv, expected) => {
    expect(await run(...argv)).toBe(0);
    expect(out).toEqual([expected]);
  });

  test('the help of a command shows all verbs, and which of them have an option', async () => {
    expect(await run('move', '--help')).toBe(0);
    expect(out[0]).toBe(
      [
        'Goes somewhere\n\nUsage:',
        '  sluice move walk --to T [--slow]\n      Walks',
        '  sluice move rest\n      Sits down',
        '  sluice move fly --to T\n      Flies',
        '  sluice move by train [--to T]\n      Rides',
        '\nOptions:\n  --to …  walk, fly, by train: Where to\n  --slow  walk: Take your time',
        '\nExample: sluice move walk --to Rome',
      ].join('\n'),
    );
  });

  test.each([[['move', 'fly', '--help']], [['help', 'move', 'fly']]])('%j shows that verb', async (argv) => {
    expect(await run(...argv)).toBe(0);
    expect(out[0]).toBe(
      'Flies\n\nUsage: sluice move fly --to T\n\nOptions:\n  --to …  Where to\n\nExample: sluice move fly --to Rome',
    );
  });
});

test('a configuration with problems is reported whole', async () => {
  const broken: CommandEntry<object> = {
    summary: 'Reads the file',
    load: async () => ({
      usage: '',
      example: 'sluice read',
      async run() {
        throw new ConfigError([{ path: 'server.port', line: 3, message: 'is not a port', fix: 'Use 3500.' }], 'a.yaml');
      },
    }),
  };
  expect(await runCommand(new Map([['read', broken]]), ['read'], { version: '1' })).toBe(1);
  expect(err[0]).toContain('a.yaml has a problem:\n\n  line 3, server.port\n    is not a port\n    Use 3500.');
});

test('the values of an option that repeats are joined, or kept apart as they were given', async () => {
  const say: Action = {
    usage: '',
    example: 'sluice say',
    options: {
      tag: { type: 'string', describe: 'Tags', repeats: true },
      input: { type: 'string', describe: 'Inputs', repeats: 'apart' },
    },
    async run({ values }) {
      out.push(JSON.stringify([values.tag, textsIn(values, 'input'), textsIn(values, 'other')]));
      return 0;
    },
  };
  const only = new Map([['say', { summary: 'Says', load: async () => say }]]);
  await runCommand(only, ['say', '--tag', 'a', '--tag', 'b', '--input', 'a=1,2', '--input', 'b=3'], { version: '1' });
  expect(out).toEqual([JSON.stringify(['a,b', ['a=1,2', 'b=3'], []])]);
});
