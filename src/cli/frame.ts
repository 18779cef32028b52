import { parseArgs } from 'node:util';
import { ConfigError, formatProblems } from '../host/config/problems.ts';
import type { Action, Command, CommandEntry, Options, Values, Verb, Verbs } from '../kernel/command.ts';
import { AppError, messageOf } from '../kernel/errors.ts';
import { harmless } from '../kernel/harmless.ts';
import { didYouMean, nearestNames, oneOf, sentences } from '../kernel/nearest-names.ts';

export const exit = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** Between the values of an option that repeats `apart`: no argument of a program can hold it. */
export const APART = '\0';

/** The command was typed wrong. */
export class UsageError extends Error {}

/** Every command by its words; more than one word is a verb of the command that the first word names. */
export type Commands<Place> = ReadonlyMap<string, CommandEntry<Place>>;

/** Finds, loads and runs a command. Returns the exit code. */
export async function runCommand<Place>(
  commands: Commands<Place>,
  argv: readonly string[],
  place: Place & { readonly version: string },
): Promise<number> {
  const [first, ...rest] = argv;
  const asksForHelp = first === '--help' || first === '-h' || first === 'help';
  if (first === undefined || (asksForHelp && rest[0] === undefined)) {
    const { overview } = await import('./help.ts');
    console.log(overview(commands));
    return first === undefined ? exit.usage : exit.done;
  }
  if (first === '--version' || first === '-v') {
    console.log(place.version);
    return exit.done;
  }
  const [name, ...args] = asksForHelp ? [...(rest as [string]), '--help'] : ([first, ...rest] as [string]);
  const entry = name.includes(' ') ? undefined : commands.get(name);
  if (!entry) {
    const names = [...commands.keys()].filter((known) => !known.includes(' '));
    const meant = didYouMean(nearestNames(name, names, 1));
    console.error(sentences(`sluice: there is no command ${harmless(name)}.`, meant, '`sluice --help` lists them.'));
    return exit.usage;
  }
  const command = withMoreVerbs(await entry.load(place), await verbsFor(name, commands, place));
  return 'verbs' in command
    ? runVerb(name, entry.summary, command, args)
    : runAction(name, { ...entry, ...command }, args);
}

/** Verbs that later parts add to a command. */
async function verbsFor<Place>(name: string, commands: Commands<Place>, place: Place): Promise<Record<string, Verb>> {
  const verbs: [string, Verb][] = [];
  for (const [words, { summary, load }] of commands) {
    if (!words.startsWith(`${name} `)) continue;
    const action = await load(place);
    if (!('verbs' in action)) verbs.push([words.slice(name.length + 1), { summary, ...action }]);
  }
  return Object.fromEntries(verbs);
}

function withMoreVerbs(command: Command, more: Readonly<Record<string, Verb>>): Command {
  return 'verbs' in command ? { ...command, verbs: { ...command.verbs, ...more } } : command;
}

async function runVerb(name: string, summary: string, command: Verbs, args: readonly string[]): Promise<number> {
  const { verbs, byDefault } = command;
  const known = new Map(Object.entries(verbs));
  const asWhole = { usage: `${[...known.keys()].join(' | ')} …` };
  try {
    const { values, positionals } = parse(args, optionsOf(Object.values(verbs)));
    // A verb may have several words: `memory model fetch`.
    const count = positionals.findLastIndex((_, at) => known.has(positionals.slice(0, at + 1).join(' '))) + 1;
    const given = count > 0 ? positionals.slice(0, count).join(' ') : (positionals[0] ?? byDefault);
    if (values.help && positionals.length === 0) {
      const { verbsHelp } = await import('./help.ts');
      console.log(verbsHelp(name, summary, command));
      return exit.done;
    }
    const verb = given === undefined ? undefined : known.get(given);
    if (!verb) {
      const asked = given === undefined ? '' : `, not ${given}`;
      throw new UsageError(`say ${oneOf([...known.keys()])}${asked}`);
    }
    return await runParsed(`${name} ${given}`, verb, { values, positionals: positionals.slice(count) });
  } catch (error) {
    return report(name, asWhole, error);
  }
}

async function runAction(name: string, action: Verb, args: readonly string[]): Promise<number> {
  try {
    return await runParsed(name, action, parse(args, action.options));
  } catch (error) {
    return report(name, action, error);
  }
}

type Parsed = { values: Values; positionals: string[] };

async function runParsed(words: string, action: Verb, { values: given, positionals }: Parsed): Promise<number> {
  const { help, ...values } = given;
  if (help) {
    const { actionHelp } = await import('./help.ts');
    console.log(actionHelp(words, action));
    return exit.done;
  }
  try {
    const own = action.options ?? {};
    const foreign = Object.keys(values).find((option) => !Object.hasOwn(own, option));
    if (foreign !== undefined) throw new UsageError(`unknown option --${foreign}`);
    checkCount(positionals, action.positionals ?? [0, 0]);
    return await action.run({ values, positionals });
  } catch (error) {
    return report(words, action, error);
  }
}

const optionsOf = (verbs: readonly Verb[]): Options =>
  Object.assign({}, ...verbs.map(({ options }) => options)) as Options;

function parse(args: readonly string[], options: Options = {}): Parsed {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([key, { type, short, repeats }]) => [
          key,
          {
            type,
            ...(short !== undefined && { short }),
            ...(repeats !== undefined && repeats !== false && { multiple: true }),
          },
        ]),
      ),
      help: { type: 'boolean', short: 'h' },
    },
  });
  return { values: joined(values, options), positionals };
}

type Given = string | boolean | (string | boolean)[] | undefined;

function joined(values: Record<string, Given>, options: Options): Values {
  const between = (key: string) => (options[key]?.repeats === 'apart' ? APART : ',');
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.join(between(key)) : value]),
  );
}

function checkCount(given: readonly string[], [least, most]: readonly [number, number]): void {
  if (given.length < least) throw new UsageError('an argument is missing');
  if (given.length > most) throw new UsageError(`unexpected argument: ${given.slice(most).join(' ')}`);
}

function report(words: string, { usage }: Pick<Action, 'usage'>, error: unknown): number {
  if (error instanceof ConfigError) {
    console.error(harmless(formatProblems(error)));
    return exit.failed;
  }
  const parsing = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (error instanceof UsageError || parsing) {
    console.error(`sluice ${words}: ${harmless(messageOf(error))}\nUsage: ${`sluice ${words} ${usage}`.trimEnd()}`);
    return exit.usage;
  }
  console.error(`sluice ${words}: ${harmless(messageOf(error))}`);
  return error instanceof AppError && error.code === 'unavailable' ? exit.unreachable : exit.failed;
}
