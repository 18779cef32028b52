// node bench/n8n.ts [ROUNDS]: what the tools for n8n add to the API calls they make. `npm run bench -- --n8n` prints the same.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheDirectory } from '../src/host/home.ts';
import { connectLocal, stopLocal } from '../src/n8n/local/local.ts';
import { instancePlaces } from '../src/n8n/local/places.ts';
import { byTurns } from './by-turns.ts';
import { type Client, connect } from './client.ts';
import { freePort } from '../test/support/free-port.ts';
import { start, untilListed } from './process.ts';
import { type Goal, goalTable } from './report.ts';
import { median, percentile } from './statistics.ts';

const WORKFLOWS = 1000;
const ROUNDS = 5;
const AT_ONCE = 8;
const PAGE = 250;
const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

interface Pair {
  what: string;
  /** How often per round. */
  times: number;
  limit?: number;
  raw(): Promise<unknown>;
  tool(): Promise<unknown>;
}

export interface N8nFigures {
  rows: { what: string; raw: number[]; tool: number[]; ratios: number[]; limit?: number }[];
  workflows: number;
  rssIdle: number;
  rssAfter: number;
}

/** A typical workflow of ten nodes. */
const bodyOf = (name: string, word = 'same') => ({
  name,
  nodes: Array.from({ length: 10 }, (_, index) => ({
    id: `node-${index}`,
    name: `Step ${index}`,
    type: 'n8n-nodes-base.code',
    typeVersion: 2,
    position: [index * 200, 0],
    parameters: { jsCode: `// ${word} ${'what this is for '.repeat(10)}\nreturn $input.all();` },
  })),
  connections: Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [
      `Step ${index}`,
      { main: [[{ node: `Step ${index + 1}`, type: 'main', index: 0 }]] },
    ]),
  ),
  settings: { executionOrder: 'v1' },
});

/** A real n8n, installed once for this user, which ends with this process. */
export async function startN8n(home: string): Promise<{ url: string; apiKey: string } & AsyncDisposable> {
  await mkdir(home, { recursive: true });
  const args = [bin, 'n8n', 'up', '--port', '0', '--until-gone', String(process.pid)];
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    SLUICE_HOME: home,
    SLUICE_CACHE: cacheDirectory(process.env),
  };
  await promisify(execFile)(process.execPath, args, { cwd: home, env });
  const { url, apiKey } = await connectLocal(home);
  return { url, apiKey, [Symbol.asyncDispose]: async () => void (await stopLocal(instancePlaces(home))) };
}

/** n8n's API, called directly. */
export function apiOf(url: string, apiKey: string) {
  return async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-n8n-api-key': apiKey, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
}

type Api = ReturnType<typeof apiOf>;

export async function fill(api: Api, count: number): Promise<string[]> {
  const ids: string[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const work = async () => {
    for (const index of numbers) ids.push((await api('POST', '/workflows', bodyOf(`Workflow ${index}`))).id as string);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

async function callTool(client: Client, name: string, args: object): Promise<Record<string, unknown>> {
  const { result } = await client.request('tools/call', { name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content).slice(0, 300)}`);
  return result.structuredContent as Record<string, unknown>;
}

/** The same task done both ways. Preparation and cleanup are the same for both, and not timed. */
function pairs(api: Api, client: Client, ids: readonly string[]): Pair[] {
  let turn = 0;
  const next = () => ids[turn++ % ids.length] as string;
  const word = () => `word ${turn++}`;
  return [
    {
      what: 'list, 100 workflows',
      times: 10,
      raw: () => api('GET', '/workflows?limit=100&excludePinnedData=true'),
      tool: () => callTool(client, 'n8n_list_workflows', { limit: 100 }),
    },
    {
      what: 'get',
      times: 40,
      raw: () => api('GET', `/workflows/${next()}`),
      tool: () => callTool(client, 'n8n_get_workflow', { id: next() }),
    },
    {
      what: 'create',
      times: 20,
      raw: () => api('POST', '/workflows', bodyOf(word())),
      tool: () => callTool(client, 'n8n_create_workflow', bodyOf(word())),
    },
    {
      what: 'update with a backup (read, save, read the history)',
      times: 20,
      limit: 1.5,
      async raw() {
        const id = next();
        await api('GET', `/workflows/${id}`);
        await api('PUT', `/workflows/${id}?publishIfActive=false`, bodyOf(word(), word()));
        await api('GET', `/workflows/${id}/history?limit=20`);
      },
      tool: () => callTool(client, 'n8n_update_workflow', { id: next(), ...bodyOf(word(), word()) }),
    },
    {
      what: `list all ${WORKFLOWS.toLocaleString('en-US')}, page by page`,
      times: 1,
      raw: () =>
        every((cursor) =>
          api('GET', `/workflows?limit=${PAGE}&excludePinnedData=true${cursor && `&cursor=${cursor}`}`),
        ),
      tool: () => every((cursor) => callTool(client, 'n8n_list_workflows', { limit: PAGE, ...(cursor && { cursor }) })),
    },
  ];
}

async function every(page: (cursor: string) => Promise<Record<string, unknown>>): Promise<void> {
  let seen = 0;
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const answer = await page(cursor);
    seen += ((answer.data ?? answer.workflows) as unknown[]).length;
    cursor = answer.nextCursor ?? answer.cursor;
  }
  if (seen < WORKFLOWS) throw new Error(`Only ${seen} of ${WORKFLOWS} workflows were listed.`);
}

export async function measureN8n(root: string, say: (line: string) => void, rounds = ROUNDS): Promise<N8nFigures> {
  say('n8n: starting (the first time it is installed, which takes minutes)');
  await using n8n = await startN8n(join(root, 'n8n'));
  const { url, apiKey } = n8n;
  const api = apiOf(url, apiKey);
  const home = join(root, 'n8n-gateway');
  await mkdir(home);
  await writeFile(join(home, 'sluice.json'), JSON.stringify({ n8n: { default: { url, apiKey } } }));
  const port = await freePort();
  const args = [bin, 'serve', '--config', join(home, 'sluice.json'), '--port', String(port)];
  // Writes are validated, which needs the nodes of this n8n; they are read from its installation.
  await using gateway = start(args, home, { SLUICE_HOME: home, SLUICE_CACHE: cacheDirectory(process.env) });
  const mcp = new URL(`http://127.0.0.1:${port}/mcp`);
  await untilListed(gateway, mcp, 'modern', ['n8n_call']);
  const rssIdle = gateway.rss();
  say(`n8n: making ${WORKFLOWS} workflows`);
  const ids = await fill(api, WORKFLOWS);

  const agent = new http.Agent({ keepAlive: true });
  const all = pairs(api, await connect('modern', mcp, agent), ids);
  const rows = all.map(({ what, limit }) => ({
    what,
    raw: [] as number[],
    tool: [] as number[],
    ratios: [] as number[],
    ...(limit !== undefined && { limit }),
  }));
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { what, times, raw, tool }] of all.entries()) {
      say(`n8n: round ${round}/${rounds}: ${what}`);
      const { one, other } = await byTurns(times, raw, tool);
      if (round === 0) continue;
      const row = rows[index] as (typeof rows)[number];
      row.raw.push(...one);
      row.tool.push(...other);
      row.ratios.push(median(other) / median(one));
    }
  }
  agent.destroy();
  return { rows, workflows: WORKFLOWS, rssIdle, rssAfter: gateway.rss() };
}

export function n8nTable({ rows, rssIdle, rssAfter }: N8nFigures): string {
  const both = (values: readonly number[]) =>
    `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.95).toFixed(1)}`;
  const lines = rows.map(({ what, raw, tool, ratios }) => {
    const range = `${Math.min(...ratios).toFixed(2)} – ${Math.max(...ratios).toFixed(2)}`;
    return `| ${what} | ${both(raw)} | ${both(tool)} | ${median(ratios).toFixed(2)} x | ${range} |`;
  });
  const goals: Goal[] = rows.flatMap(({ what, ratios, limit }) =>
    limit === undefined ? [] : [{ goal: `${what}, to its API calls`, limit, unit: 'x' as const, rounds: ratios }],
  );
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
  return [
    '| n8n | API calls, p50 / p95 ms | tool, p50 / p95 ms | ratio | rounds |',
    '| --- | --: | --: | --: | --: |',
    ...lines,
    '',
    `Memory of the gateway: ${megabytes(rssIdle)} MB idle, ${megabytes(rssAfter)} MB after all of this.`,
    '',
    goalTable(goals),
  ].join('\n');
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    const rounds = Number(process.argv[2] ?? ROUNDS);
    console.log(n8nTable(await measureN8n(root, (line) => console.error(line), rounds)));
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
