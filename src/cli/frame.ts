import { parseArgs } from 'node:util';
import { AppError, messageOf } from '../kernel/errors.ts';
import { harmless } from '../kernel/harmless.ts';
import type { Command } from '../kernel/command.ts';
import { didYouMean, nearestNames, sentences } from '../kernel/nearest-names.ts';

export const exit = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** Something wrong with how a command was typed. */
export class UsageError extends Error {}

/** Finds and runs a command; its help comes from the same object. Returns the exit code. */
export async function runCommand(
  commands: readonly Command[],
  argv: readonly string[],
  version: string,
): Promise<number> {
  const [name, ...rest] = argv;
  const asksForHelp = name === '--help' || name === '-h' || name === 'help';
  if (name === undefined || (asksForHelp && rest[0] === undefined)) {
    console.log(overview(commands));
    return name === undefined ? exit.usage : exit.done;
  }
  if (name === '--version' || name === '-v') {
    console.log(version);
    return exit.done;
  }
  const wanted = asksForHelp ? (rest[0] as string) : name;
  const command = commands.find((known) => known.name === wanted);
  if (!command) {
    const [near] = nearestNames(
      wanted,
      commands.map((known) => known.name),
    );
    const meant = didYouMean(near === undefined ? [] : [near]);
    console.error(sentences(`sluice: there is no command ${harmless(wanted)}.`, meant, '`sluice --help` lists them.'));
    return exit.usage;
  }
  if (asksForHelp) {
    console.log(helpFor(command));
    return exit.done;
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          Object.entries(command.options ?? {}).map(([key, { type, short, repeats }]) => [
            key,
            { type, ...(short !== undefined && { short }), ...(repeats && { multiple: true }) },
          ]),
        ),
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      console.log(helpFor(command));
      return exit.done;
    }
    checkCount(positionals, command.positionals ?? [0, 0]);
    return await command.run({ values: joined(values), positionals });
  } catch (error) {
    return report(command, error);
  }
}

type Given = string | boolean | (string | boolean)[] | undefined;

function joined(values: Record<string, Given>): Record<string, string | boolean | undefined> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value]),
  );
}

function checkCount(given: readonly string[], [least, most]: readonly [number, number]): void {
  if (given.length < least) throw new UsageError('something is missing');
  if (given.length > most) throw new UsageError(`there is no place for ${given.slice(most).join(' ')}`);
}

function report(command: Command, error: unknown): number {
  const parsing = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (error instanceof UsageError || parsing) {
    console.error(`sluice ${command.name}: ${harmless(messageOf(error))}\nUsage: ${command.usage}`);
    return exit.usage;
  }
  console.error(`sluice ${command.name}: ${harmless(messageOf(error))}`);
  return error instanceof AppError && error.code === 'unavailable' ? exit.unreachable : exit.failed;
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Sluice: many MCP servers as one.',
    '',
    'Usage: sluice <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'sluice <command> --help shows its options and an example.',
  ].join('\n');
}

function helpFor({ summary, usage, example, options = {} }: Command): string {
  const flags = Object.entries(options).map(
    ([name, { type, short, describe }]) =>
      [`${short === undefined ? '' : `-${short}, `}--${name}${type === 'string' ? ' …' : ''}`, describe] as const,
  );
  const width = Math.max(0, ...flags.map(([flag]) => flag.length));
  return [
    summary,
    '',
    `Usage: ${usage}`,
    ...(flags.length > 0 ? ['', 'Options:', ...flags.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`)] : []),
    '',
    `Example: ${example}`,
  ].join('\n');
}
