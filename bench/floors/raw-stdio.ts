// Floor: the least an aggregator of stdio servers must do: parse, find the server by prefix, rewrite the id, relay.
// The list is built once.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { Request, WireTool } from './echo.ts';
import { serveJson } from './json-server.ts';
import { eachLine } from './lines.ts';

interface Response {
  id: number;
  result: { tools?: WireTool[]; [key: string]: unknown };
}
type Relay = (method: string, params: object) => Promise<Response>;

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    backend: { type: 'string', default: '' },
    backends: { type: 'string', default: '1' },
    tools: { type: 'string', default: '1' },
  },
});
let nextId = 1;

function startBackend(name: string): Relay {
  const child = spawn(process.execPath, [values.backend, '--tools', values.tools, '--name', name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (response: Response) => void>();
  eachLine(child.stdout, (line) => {
    const response = JSON.parse(line) as Response;
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  return (method, params) =>
    new Promise((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
}

const backends = new Map<string, Relay>();
for (let index = 0; index < Number(values.backends); index++) backends.set(`b${index}`, startBackend(`b${index}`));

async function listAll(): Promise<string> {
  const lists = await Promise.all(
    Array.from(backends, async ([name, relay]) => {
      const clientInfo = { name: 'raw', version: '1' };
      await relay('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
      const { tools = [] } = (await relay('tools/list', {})).result;
      return tools.map((tool) => ({ ...tool, name: `${name}__${tool.name}` }));
    }),
  );
  return JSON.stringify({ tools: lists.flat() });
}
const list = listAll();

async function resultOf({ method, params }: Request): Promise<string> {
  if (method === 'initialize') {
    const serverInfo = { name: 'raw', version: '0' };
    return JSON.stringify({ protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo });
  }
  if (method === 'tools/list') return list;
  const name = params?.name ?? '';
  const split = name.indexOf('__');
  const relay = backends.get(name.slice(0, split));
  if (!relay) throw new Error(`No backend for ${name}`);
  return JSON.stringify((await relay('tools/call', { ...params, name: name.slice(split + 2) })).result);
}

serveJson(Number(values.port), async (request) => {
  await list;
  if (request.id === undefined) return undefined;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${await resultOf(request)}}`;
});
