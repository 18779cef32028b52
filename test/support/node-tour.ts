/** Shared by tests of the node tools that act as a client: starts the shipped command on its own machine, and asks. */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../../src/host/home.ts';
import { callTool, type connectV2 } from '../integration/harness.ts';
import { createPlace, type Place } from './command-line.ts';

type Client = Awaited<ReturnType<typeof connectV2>>;

/** Nothing listens there. */
export const CLOSED = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
export const LONG = 120_000;

/** A machine with n8n installed but no catalogue: nothing needs to be downloaded. */
export async function freshMachine(): Promise<{ place: Place; env: Record<string, string> }> {
  const place = await createPlace();
  const cache = join(place.user, 'cache');
  await mkdir(cache);
  await symlink(join(cacheDirectory(process.env), 'n8n'), join(cache, 'n8n'));
  return { place, env: { SLUICE_CACHE: cache, ...CLOSED } };
}

export async function serving(place: Place, env: Record<string, string>) {
  const started = place.start(['serve', '--port', '0'], { env });
  await started.printed('Ready:');
  const { stdout } = await place.run(['status', '--json'], { env });
  const { url } = JSON.parse(stdout) as { url: string };
  return {
    url: url.replace(/\/mcp$/, ''),
    home: place.home,
    async [Symbol.asyncDispose]() {
      started.child.kill('SIGTERM');
      await started.finished;
    },
  };
}

export interface Reply {
  isError: boolean;
  text: string;
  data: Record<string, unknown>;
}

export async function ask(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<Reply> {
  const { isError, content, structuredContent } = (await callTool(client, tool, args)) as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: Record<string, unknown>;
  };
  return { isError: isError === true, text: content[0]?.text ?? '', data: structuredContent ?? {} };
}
