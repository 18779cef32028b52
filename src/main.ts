import { runCommand } from './cli/frame.ts';
import { createTerminal } from './host/terminal.ts';
import { commands, placeOf } from './place.ts';

/** Runs the command that `argv` names. */
export async function main(argv: readonly string[]): Promise<void> {
  const { env } = process;
  process.exitCode = await runCommand(commands, argv, placeOf(env, createTerminal(env)));
}
