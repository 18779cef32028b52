import { backupCommand } from './cli/backup.ts';
import { bridgeCommand } from './cli/bridge.ts';
import { callCommand } from './cli/call.ts';
import { doctorCommand } from './cli/doctor.ts';
import { eventsCommand } from './cli/events.ts';
import { exportCommand } from './cli/export.ts';
import { keysCommand } from './cli/keys.ts';
import { loginCommand } from './cli/login.ts';
import { initCommand } from './cli/init.ts';
import { n8nCommand } from './cli/n8n.ts';
import { nodesCommand } from './cli/nodes.ts';
import { ownerCommand } from './cli/owner.ts';
import { statusCommand } from './cli/status.ts';
import type { Terminal } from './host/terminal.ts';
import { toolsCommand } from './cli/tools.ts';
import { usageCommand } from './cli/usage.ts';
import { validateCommand } from './cli/validate.ts';
import { webhooksCommand } from './cli/webhooks.ts';
import { gatewayAccess } from './local-gateway.ts';
import { n8nDeps } from './n8n-command.ts';
import type { Env } from './host/part.ts';
import type { Command } from './kernel/command.ts';
import { endsForSure, serveCommand, stdioCommand } from './serve.ts';
import { doctorDeps, exportDeps, initDeps, keysDeps, ownerDeps, webhooksDeps } from './setup.ts';
import { loginDeps } from './login-command.ts';
import { nodesCommandDeps } from './nodes-command.ts';
import { version } from './version.ts';

/** Every command, in the order in which help lists them. */
export function allCommands(env: Env, terminal: Terminal): Command[] {
  const access = gatewayAccess(env);
  return [
    endsForSure(serveCommand(env, terminal)),
    endsForSure(stdioCommand(env)),
    initCommand(initDeps(env), terminal),
    doctorCommand(doctorDeps(env, access), terminal),
    statusCommand(access, terminal),
    toolsCommand(access, terminal),
    callCommand(access, terminal),
    eventsCommand(access, terminal),
    usageCommand(access, terminal),
    webhooksCommand(webhooksDeps(env), terminal),
    keysCommand(keysDeps(env), terminal),
    loginCommand(loginDeps(env), terminal),
    ownerCommand(ownerDeps(env), terminal),
    exportCommand(exportDeps(env, access), terminal),
    n8nCommand(n8nDeps(env), terminal),
    backupCommand(access, terminal),
    bridgeCommand(access, terminal),
    nodesCommand(nodesCommandDeps(env), terminal),
    validateCommand({ ...nodesCommandDeps(env), cwd: process.cwd(), version }, terminal),
  ];
}
