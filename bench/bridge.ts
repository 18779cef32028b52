// npm run bench -- --bridge: what the bridge adds to calling n8n directly.
import { mkdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLook } from '../src/bridge/live/look.ts';
import { bridgeOf, bridgeSettings } from '../src/bridge/settings.ts';
import { createN8nClient } from '../src/n8n/client/client.ts';
import { byTurns, timed } from './by-turns.ts';
import { type Client, connect } from './client.ts';
import { apiOf, fill, startN8n } from './n8n.ts';
import { freePort } from '../test/support/free-port.ts';
import { start, untilListed } from './process.ts';
import { type Goal, goalTable } from './report.ts';
import { median, percentile } from './statistics.ts';

const WORKFLOWS = 1000;
const TIMES = 40;
const ADDED_MS = 10;
const LIVE_MS = 20_000;
const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));
const ai = '@n8n/n8n-nodes-langchain.';

interface Way {
  what: string;
  direct(): Promise<unknown>;
  bridged(): Promise<unknown>;
  /** Whether both ways do the same work, so that the comparison counts as a goal. */
  isGoal?: true;
}

export interface BridgeFigures {
  rows: { what: string; direct: number[]; bridged: number[]; added: number[]; isGoal: boolean }[];
  discovery: { workflows: number; first: number[]; again: number[]; cpuFirst: number; cpuAgain: number };
  rssBefore: number;
  rssAfter: number;
}

const node = (name: string, type: string, typeVersion: number, parameters: object = {}, more: object = {}) => ({
  id: crypto.randomUUID(),
  name,
  type,
  typeVersion,
  position: [0, 0],
  parameters,
  ...more,
});

const toolLink = (to: string) => ({ ai_tool: [[{ node: to, type: 'ai_tool', index: 0 }]] });
const settings = { executionOrder: 'v1', saveDataSuccessExecution: 'none' };

/** A typical user's workflow: an agent with a calculator. */
const sums = {
  name: 'Sums',
  nodes: [node('Agent', `${ai}agent`, 3, { options: {} }), node('Calculator', `${ai}toolCalculator`, 1)],
  connections: { Calculator: toolLink('Agent') },
  settings,
};

const secret = { 'x-bench': 'of no value' };

/** The same calculator behind n8n's own trigger: open to everybody, or with a header secret, like the bridge's. */
const served = (path: string, parameters: object, more: object) => ({
  name: path,
  nodes: [
    node('Server', `${ai}mcpTrigger`, 2, { path, ...parameters }, { webhookId: path, ...more }),
    node('Calculator', `${ai}toolCalculator`, 1),
  ],
  connections: { Calculator: toolLink('Server') },
  settings,
});

const echo = {
  name: 'Echo',
  nodes: [
    node(
      'In',
      'n8n-nodes-base.webhook',
      2,
      { path: 'bench-echo', httpMethod: 'POST', responseMode: 'lastNode' },
      { webhookId: crypto.randomUUID() },
    ),
    node('Out', 'n8n-nodes-base.set', 3.4, {
      mode: 'raw',
      jsonOutput: '={{ JSON.stringify($json.body) }}',
      options: {},
    }),
  ],
  connections: { In: { main: [[{ node: 'Out', type: 'main', index: 0 }]] } },
  settings,
};

type Caller = () => Promise<void>;

/** A client of n8n's MCP Server Trigger, in its own session. */
async function directTo(url: string): Promise<Caller> {
  let id = 0;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...secret,
  };
  const post = async (method: string, params: object, isRequest = true) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...(isRequest && { id: ++id }), method, params });
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} answered ${response.status} to ${method}: ${text.slice(0, 200)}`);
    return { text, session: response.headers.get('mcp-session-id') };
  };
  const clientInfo = { name: 'sluice-bench', version: '1.0.0' };
  const { session } = await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  headers['mcp-protocol-version'] = '2025-06-18';
  if (session !== null) headers['mcp-session-id'] = session;
  await post('notifications/initialized', {}, false);
  return async () => {
    const { text } = await post('tools/call', { name: 'Calculator', arguments: { input: '25*42' } });
    if (!text.includes('1050')) throw new Error(`n8n's calculator says ${text.slice(0, 200)}`);
  };
}

async function call(client: Client, name: string, args: object): Promise<void> {
  const { result } = await client.request('tools/call', { name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content).slice(0, 300)}`);
}

async function until<T>(what: string, work: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + LIVE_MS; ; await delay(200)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw new Error(`${what} did not come up.`, { cause: error });
    }
  }
}

/** Measured in this process: in the gateway, everything else that starts would hide it. */
async function measureDiscovery(url: string, apiKey: string, rounds: number): Promise<BridgeFigures['discovery']> {
  const client = createN8nClient('default', { url, apiKey, timeoutMs: 60_000 });
  const choice = bridgeOf(bridgeSettings.bridge.parse({}), 'default');
  const { signal } = new AbortController();
  const look = createLook();
  const measured = { first: [] as number[], again: [] as number[], cpuFirst: [] as number[], cpuAgain: [] as number[] };
  const one = async (ms: number[], cpu: number[]) => {
    const before = process.cpuUsage();
    ms.push(await timed(() => look.all(client, choice, signal)));
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  };
  for (let round = 0; round < rounds; round++) {
    look.reset();
    await one(measured.first, measured.cpuFirst);
    await one(measured.again, measured.cpuAgain);
  }
  const { first, again } = measured;
  return {
    workflows: look.size(),
    first,
    again,
    cpuFirst: median(measured.cpuFirst),
    cpuAgain: median(measured.cpuAgain),
  };
}

export async function measureBridge(root: string, say: (line: string) => void, rounds: number): Promise<BridgeFigures> {
  say('bridge: starting n8n (the first time it is installed, which takes minutes)');
  await using n8n = await startN8n(join(root, 'bridge-n8n'));
  const { url, apiKey } = n8n;
  const api = apiOf(url, apiKey);
  await api('POST', '/workflows', sums);
  const [[name, value]] = Object.entries(secret) as [[string, string]];
  const made = await api('POST', '/credentials', { name: 'bench', type: 'httpHeaderAuth', data: { name, value } });
  const credentials = { httpHeaderAuth: { id: made.id, name: 'bench' } };
  const bodies = [
    served('bench-open', {}, {}),
    served('bench-closed', { authentication: 'headerAuth' }, { credentials }),
    echo,
  ];
  for (const body of bodies) {
    const { id } = await api('POST', '/workflows', body);
    await api('POST', `/workflows/${String(id)}/publish`, {});
  }
  const closed = await until('the MCP Server Trigger', () => directTo(`${url}/mcp/bench-closed`));
  const open = await until('the MCP Server Trigger', () => directTo(`${url}/mcp/bench-open`));

  const home = join(root, 'bridge-gateway');
  await mkdir(home);
  const bridge = { apply: 'auto', poll: '10m', workflows: { include: ['Echo'] }, tools: { workflows: ['Sums'] } };
  await writeFile(join(home, 'sluice.json'), JSON.stringify({ n8n: { default: { url, apiKey } }, bridge }));
  const port = await freePort();
  const args = [bin, 'serve', '--config', join(home, 'sluice.json'), '--port', String(port)];
  await using gateway = start(args, home, { SLUICE_HOME: home });
  const mcp = new URL(`http://127.0.0.1:${port}/mcp`);
  await untilListed(gateway, mcp, 'modern', ['sums__Calculator', 'run_echo']);
  const rssBefore = gateway.rss();
  const agent = new http.Agent({ keepAlive: true });
  const ours = await connect('modern', mcp, agent);

  const ways: Way[] = [
    {
      what: "n8n's MCP Server Trigger with a header secret, as ours has",
      direct: closed,
      bridged: () => call(ours, 'sums__Calculator', { input: '25*42' }),
      isGoal: true,
    },
    {
      what: "n8n's MCP Server Trigger, open to everybody",
      direct: open,
      bridged: () => call(ours, 'sums__Calculator', { input: '25*42' }),
    },
    {
      what: 'a webhook that answers what it got',
      async direct() {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${url}/webhook/bench-echo`, {
          method: 'POST',
          headers,
          body: '{"word":"hello"}',
        });
        if (!(await response.text()).includes('hello')) throw new Error(`The webhook answered ${response.status}.`);
      },
      bridged: () => call(ours, 'run_echo', { word: 'hello' }),
      isGoal: true,
    },
  ];
  const rows = ways.map(({ what, isGoal = false }) => ({
    what,
    isGoal,
    direct: [] as number[],
    bridged: [] as number[],
    added: [] as number[],
  }));
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { what, direct, bridged }] of ways.entries()) {
      say(`bridge: round ${round}/${rounds}: ${what}`);
      const { one, other } = await byTurns(TIMES, direct, bridged);
      if (round === 0) continue;
      const row = rows[index] as (typeof rows)[number];
      row.direct.push(...one);
      row.bridged.push(...other);
      row.added.push(median(other) - median(one));
    }
  }
  const rssAfter = gateway.rss();
  agent.destroy();
  say(`bridge: making ${WORKFLOWS} workflows`);
  await fill(api, WORKFLOWS);
  return { rows, discovery: await measureDiscovery(url, apiKey, rounds), rssBefore, rssAfter };
}

export function bridgeTable({ rows, discovery, rssBefore, rssAfter }: BridgeFigures): string {
  const both = (values: readonly number[]) =>
    `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.95).toFixed(1)}`;
  const lines = rows.map(({ what, direct, bridged, added }) => {
    const range = `${Math.min(...added).toFixed(1)} – ${Math.max(...added).toFixed(1)}`;
    return `| ${what} | ${both(direct)} | ${both(bridged)} | ${median(added).toFixed(1)} ms | ${range} |`;
  });
  const goals: Goal[] = rows
    .filter(({ isGoal }) => isGoal)
    .map(({ what, added }) => ({
      goal: `added to ${what}, p50`,
      limit: ADDED_MS,
      unit: 'ms',
      rounds: added,
    }));
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
  const { workflows, first, again, cpuFirst, cpuAgain } = discovery;
  return [
    '| a call | directly, p50 / p95 ms | bridged, p50 / p95 ms | added, p50 | rounds |',
    '| --- | --: | --: | --: | --: |',
    ...lines,
    '',
    `| looking at ${workflows.toLocaleString('en-US')} workflows | ms | our CPU, ms |`,
    '| --- | --: | --: |',
    `| the first time | ${median(first).toFixed(0)} | ${cpuFirst.toFixed(0)} |`,
    `| again, nothing changed | ${median(again).toFixed(0)} | ${cpuAgain.toFixed(0)} |`,
    '',
    `Memory of the gateway: ${megabytes(rssBefore)} MB with the bridge up, ${megabytes(rssAfter)} MB after these calls.`,
    '',
    goalTable(goals),
  ].join('\n');
}
