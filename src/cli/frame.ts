import { parseArgs } from 'node:util';
import { AppError, messageOf } from '../kernel/errors.ts';
import type { Command } from '../kernel/part.ts';

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
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const asked = name === 'help' && commands.find((command) => command.name === rest[0]);
    console.log(asked ? helpFor(asked) : overview(commands));
    return name === undefined ? exit.usage : exit.done;
  }
  if (name === '--version' || name === '-v') {
    console.log(version);
    return exit.done;
  }
  const command = commands.find((known) => known.name === name);
  if (!command) {
    console.error(`sluice: there is no command ${name}. \`sluice --help\` lists them.`);
    return exit.usage;
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          Object.entries(command.options ?? {}).map(([key, { type, short }]) => [
            key,
            { type, ...(short !== undefined && { short }) },
          ]),
        ),
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      console.log(helpFor(command));
      return exit.done;
    }
    return await command.run({ values: values as Record<string, string | boolean | undefined>, positionals });
  } catch (error) {
    return report(command, error);
  }
}

function report(command: Command, error: unknown): number {
  const parsing = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (error instanceof UsageError || parsing) {
    console.error(`sluice ${command.name}: ${messageOf(error)}\nUsage: ${command.usage}`);
    return exit.usage;
  }
  console.error(`sluice ${command.name}: ${messageOf(error)}`);
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
