import { runCommand } from './cli/frame.ts';
import { serveCommand, stdioCommand } from './serve.ts';
import { version } from './version.ts';

/** The composition root: the only place that knows every part. */
export async function main(argv: readonly string[]): Promise<void> {
  const { env } = process;
  process.exitCode = await runCommand([serveCommand(env), stdioCommand(env)], argv, version);
}
