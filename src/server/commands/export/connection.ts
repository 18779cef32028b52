import { resolve } from 'node:path';
import { UsageError } from '../../../cli/frame.ts';
import { findRunning } from '../../../cli/reach.ts';
import { readGatewayStatus } from '../../../gateway/commands/status.ts';
import { reachableUrl } from '../../../kernel/reachable-url.ts';
import type { ServerPlace } from '../starting.ts';

/** How a client gets to the gateway: by its URL, or by a program it starts. */
export type Connection =
  | { url: string; headers?: Record<string, string> }
  | { command: string; args: string[]; env?: Record<string, string> };

export async function byUrl(
  place: ServerPlace,
  wanted: string | undefined,
  file: string | undefined,
): Promise<Extract<Connection, { url: string }>> {
  const { server, auth } = (await place.load(file)).config;
  const base = server.publicUrl?.replace(/\/$/, '') ?? reachableUrl(server.host, server.port);
  const needsKey = auth.mode === 'keys' || (auth.mode === 'none' && auth.token !== undefined);
  const url = wanted ?? (await runningUrl(place)) ?? `${base}/mcp`;
  return { url, ...(needsKey && { headers: keyHeader }) };
}

async function runningUrl(place: ServerPlace): Promise<string | undefined> {
  await using running = await findRunning(place);
  return running && (await readGatewayStatus(running)).url;
}

/** A client starts it elsewhere, where neither this directory nor this environment is known. */
export async function byProgram({ load, self, env }: ServerPlace, wanted: string | undefined): Promise<Connection> {
  const { file } = await load(wanted);
  return {
    command: self.command,
    args: [...self.args, 'stdio', ...(file === undefined ? [] : ['--config', file])],
    ...(env.SLUICE_HOME && { env: { SLUICE_HOME: resolve(env.SLUICE_HOME) } }),
  };
}

const keyHeader = { Authorization: 'Bearer YOUR_KEY' };

export function checkedUrl(given: string): string {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw new UsageError(`--url looks like http://127.0.0.1:3500/mcp, not ${given}`);
  }
  const url = new URL(given);
  // Accept the address of the gateway for that of its endpoint.
  return url.pathname === '/' ? new URL('/mcp', url).href : given;
}
