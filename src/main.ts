import { runCommand } from './cli/frame.ts';
import { createTerminal } from './host/terminal.ts';
import { version } from './version.ts';

/** The composition root. What serves is loaded alone: it must be quick, and needs no other command. */
export async function main(argv: readonly string[]): Promise<void> {
  const { env } = process;
  const terminal = createTerminal(env);
  const [name] = argv;
  if (name === 'serve' || name === 'stdio') {
    const { endsForSure, serveCommand, stdioCommand } = await import('./serve.ts');
    const command = name === 'serve' ? serveCommand(env, terminal) : stdioCommand(env);
    process.exitCode = await runCommand([endsForSure(command)], argv, version);
    return;
  }
  const { allCommands } = await import('./commands.ts');
  process.exitCode = await runCommand(allCommands(env, terminal), argv, version);
}
