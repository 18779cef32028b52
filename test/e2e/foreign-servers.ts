/** MCP servers we did not write, as programs: how to start each, and an SDK client that talks to it directly. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Answer, Json } from '../integration/harness.ts';
import { freePort } from '../support/free-port.ts';

const require = createRequire(import.meta.url);

export const programs = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  memory: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
  playwright: join(dirname(require.resolve('@playwright/mcp/package.json')), 'cli.js'),
} as const;

export interface Entry {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
}

export interface Foreign extends AsyncDisposable {
  /** For mcpServers. */
  readonly entry: Entry;
}

/** A server that the gateway starts itself. */
export function byCommand(program: string, args: string[] = [], env: Record<string, string> = {}): Foreign {
  return { entry: { command: process.execPath, args: [program, ...args], env }, async [Symbol.asyncDispose]() {} };
}

/** server-everything as a separate HTTP server. */
export async function everythingOver(mode: 'streamableHttp' | 'sse'): Promise<Foreign> {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port) };
  const child = spawn(process.execPath, [programs.everything, mode], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  await untilSaid(child, String(port));
  return {
    entry: { url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}` },
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function untilSaid(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(words)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said}`)));
  });
}

/** A direct client, for comparison. It has the capabilities that the gateway declares for its clients. */
export async function connectDirectly({ entry }: Foreign, answer?: Answer): Promise<Client & AsyncDisposable> {
  const capabilities = {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {}, context: {} },
    roots: { listChanged: true },
  };
  const client = new Client({ name: 'direct', version: '1.0.0' }, { capabilities });
  for (const schema of [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema]) {
    client.setRequestHandler(
      schema,
      async ({ method, params }) => (answer?.(method, params as Json) ?? { roots: [] }) as Json,
    );
  }
  await client.connect(transportFor(entry));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

function transportFor({ url, command = '', args = [], env = {} }: Entry): Transport {
  if (url === undefined)
    return new StdioClientTransport({ command, args, env: { PATH: process.env.PATH ?? '', ...env }, stderr: 'ignore' });
  return url.endsWith('/sse') ? new SSEClientTransport(new URL(url)) : new StreamableHTTPClientTransport(new URL(url));
}
