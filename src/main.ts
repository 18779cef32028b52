import { callCommand } from './cli/call.ts';
import { doctorCommand } from './cli/doctor.ts';
import { eventsCommand } from './cli/events.ts';
import { exportCommand } from './cli/export.ts';
import { runCommand } from './cli/frame.ts';
import { initCommand } from './cli/init.ts';
import { statusCommand } from './cli/status.ts';
import { createTerminal } from './cli/terminal.ts';
import { toolsCommand } from './cli/tools.ts';
import { gatewayAccess } from './local-gateway.ts';
import { serveCommand, stdioCommand } from './serve.ts';
import { doctorDeps, exportDeps, initDeps } from './setup.ts';
import { version } from './version.ts';

/** The composition root: the only place that knows every part. */
export async function main(argv: readonly string[]): Promise<void> {
  const { env } = process;
  const terminal = createTerminal(env);
  const access = gatewayAccess(env);
  const commands = [
    serveCommand(env),
    stdioCommand(env),
    initCommand(initDeps(env), terminal),
    doctorCommand(doctorDeps(env, access), terminal),
    statusCommand(access, terminal),
    toolsCommand(access, terminal),
    callCommand(access, terminal),
    eventsCommand(access, terminal),
    exportCommand(exportDeps(env, access), terminal),
  ];
  process.exitCode = await runCommand(commands, argv, version);
}
