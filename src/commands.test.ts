import { describe, expect, test } from 'vitest';
import { createTerminal } from './host/terminal.ts';
import type { CommandOption } from './kernel/command.ts';
import { commands, placeOf } from './place.ts';

/** An option as one verb declares it: `publish` of `n8n push`. */
interface Declared {
  readonly words: string;
  readonly option: string;
  readonly how: CommandOption;
}

const place = placeOf({}, createTerminal({}));

async function declared(): Promise<Map<string, Declared[]>> {
  const all: Declared[] = [];
  for (const [words, { load }] of commands) {
    const command = await load(place);
    const verbs = 'verbs' in command ? Object.entries(command.verbs) : [['', command] as const];
    for (const [verb, { options = {} }] of verbs)
      for (const [option, how] of Object.entries(options)) all.push({ words: `${words} ${verb}`.trim(), option, how });
  }
  return Map.groupBy(all, ({ words }) => words.split(' ', 1)[0] as string);
}

/** Those that one command line cannot tell apart. */
function clashes(all: readonly Declared[]): string[] {
  const said = ({ words, option, how: { type, short, repeats = false } }: Declared) =>
    `${words} --${option}: ${JSON.stringify({ type, short, repeats })}`;
  const how = (one: Declared) => said(one).slice(one.words.length);
  const differing = (groups: Iterable<readonly Declared[]>, key: (one: Declared) => string) =>
    [...groups].filter((group) => new Set(group.map(key)).size > 1).map((group) => group.map(said).join(' | '));
  const lettered = all.filter((one) => one.how.short !== undefined);
  return [
    ...differing(Map.groupBy(all, ({ option }) => option).values(), how),
    ...differing(Map.groupBy(lettered, (one) => one.how.short).values(), ({ option }) => option),
  ];
}

// The verb may come after the options, so one parser reads the options of all verbs: with two types, one verb gets a
// value of the wrong type.
describe('the verbs of a command', async () => {
  test.each([...(await declared())])('sluice %s: agree about the options that they share', (_, all) => {
    expect(clashes(all)).toEqual([]);
  });

  test('would be told apart if they did not', () => {
    const one = (words: string, option: string, how: Partial<CommandOption>): Declared => ({
      words,
      option,
      how: { type: 'boolean', describe: '', ...how },
    });
    const push = one('n8n push', 'publish', { type: 'string' });
    expect(clashes([push, one('n8n pull', 'publish', { type: 'string', describe: 'other words' })])).toEqual([]);
    expect(clashes([push, one('n8n promote', 'publish', {})])).toHaveLength(1);
    expect(clashes([push, one('n8n promote', 'publish', { type: 'string', repeats: true })])).toHaveLength(1);
    expect(clashes([one('keys a', 'yes', { short: 'y' }), one('keys b', 'yaml', { short: 'y' })])).toHaveLength(1);
  });
});
