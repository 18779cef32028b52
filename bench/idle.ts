// Part of `npm run bench -- --nodes`. Alone: npx node bench/idle.ts [ROUNDS], with the catalogue of `sluice nodes sync`.
import http from 'node:http';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../src/host/home.ts';
import { IDLE_MS } from '../src/kernel/kept-while-used.ts';
import { packageCatalogue } from '../src/nodes/catalogues/places.ts';
import { PINNED_N8N } from '../src/nodes/which-n8n.ts';
import { freePort } from '../test/support/free-port.ts';
import { type Client, connect } from './client.ts';
import { start, untilListed } from './process.ts';
import { english } from './questions/english.ts';
import { paraphrases } from './questions/paraphrases.ts';
import { type Goal, goalTable } from './report.ts';
import { median } from './statistics.ts';
import { workflowOf } from './validation-workflows.ts';

const gateway = fileURLToPath(new URL('../test/fixtures/brief-gateway.ts', import.meta.url));

const SHORT_IDLE_MS = 10_000;
/** After that, the collector has run and the pages are returned. */
const SETTLING_MS = 15_000;
const THREAD_MS = 60_000;
const MODEL_MS = 3000;

/** Resident memory in bytes, by round. */
export interface IdleFigures {
  started: number[];
  used: number[];
  idle: number[];
  /** The first search afterwards, in milliseconds: it opens the catalogue again. */
  firstMs: number[];
}

const wishes = ['delete a workflow', 'what happened yesterday', 'put this thing to sleep', 'make it go away'];
const nodes =
  'slack gmail googleSheets httpRequest notion airtable postgres telegram github jira set code merge if'.split(' ');

/** What a gateway holds after its first questions about nodes, tools and workflows, and when nobody has asked for a while. */
export async function measureIdle(
  root: string,
  cache: string,
  rounds: number,
  say: (line: string) => void,
): Promise<IdleFigures> {
  const figures: IdleFigures = { started: [], used: [], idle: [], firstMs: [] };
  for (let round = 0; round < rounds; round++) {
    say(`idle: round ${round + 1}/${rounds}`);
    const home = join(root, `idle-${round}`);
    await mkdir(home);
    await writeFile(join(home, 'sluice.json'), '{}');
    const port = await freePort();
    const env = { SLUICE_HOME: home, SLUICE_CACHE: cache };
    await using running = start([gateway, String(SHORT_IDLE_MS), String(port)], home, env);
    const place = (path: string) => new URL(`http://127.0.0.1:${port}${path}`);
    await untilListed(running, place('/mcp'), 'legacy', ['search_nodes', 'n8n_validate_workflow']);
    const agent = new http.Agent({ keepAlive: true });
    const client = await connect('legacy', place('/mcp'), agent);
    const searching = await connect('legacy', place('/mcp?expose=search'), agent);
    figures.started.push(running.rss());
    await ask(client, searching);
    // Questions are answered by words alone until the model is loaded: ask again with the model.
    await untilModel(running.pid);
    await ask(client, searching);
    figures.used.push(running.rss());
    await delay(SHORT_IDLE_MS + SETTLING_MS);
    figures.idle.push(running.rss());
    const began = performance.now();
    await call(client, 'search_nodes', { query: 'post to a Slack channel' });
    figures.firstMs.push(performance.now() - began);
    agent.destroy();
  }
  return figures;
}

async function ask(client: Client, searching: Client): Promise<void> {
  for (const { ask: query } of [...english.slice(0, 40), ...paraphrases.slice(0, 40)]) {
    await call(client, 'search_nodes', { query });
  }
  for (const query of wishes) await call(searching, 'find_tools', { query });
  for (const name of nodes) {
    for (const detail of ['essentials', 'full']) {
      await call(client, 'get_node_details', { nodes: [`n8n-nodes-base.${name}`], detail });
    }
  }
  for (const size of [5, 20, 50, 100, 300]) {
    await call(client, 'n8n_validate_workflow', { workflow: workflowOf(size) });
  }
}

async function call(client: Client, name: string, args: object): Promise<void> {
  const { result } = await client.request('tools/call', { name, arguments: args });
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content).slice(0, 300)}`);
}

/** Waits until the thread with the model runs, and then for the model. */
async function untilModel(pid: number): Promise<void> {
  const deadline = performance.now() + THREAD_MS;
  while (performance.now() < deadline) {
    const isThere = readdirSync(`/proc/${pid}/task`).some(
      (task) => readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').trim() === 'embedder',
    );
    if (isThere) return await delay(MODEL_MS);
    await delay(50);
  }
  throw new Error('The thread with the model was not started.');
}

const megabytes = (bytes: readonly number[]) => bytes.map((value) => value / 1024 / 1024);

export const idleGoal = ({ idle }: IdleFigures): Goal => ({
  goal: 'RSS when idle again, after searches and validations',
  limit: 160,
  unit: 'MB',
  rounds: megabytes(idle),
});

export function idleTable(figures: IdleFigures): string {
  const show = (bytes: readonly number[]) => {
    const all = megabytes(bytes);
    return `${median(all).toFixed(0)} (${Math.min(...all).toFixed(0)} – ${Math.max(...all).toFixed(0)})`;
  };
  return [
    `| RSS of a gateway, MB: median (range) of ${figures.idle.length} |  |`,
    '| --- | --: |',
    `| started | ${show(figures.started)} |`,
    `| after searches, details and validations | ${show(figures.used)} |`,
    `| idle again: ${SETTLING_MS / 1000} s after the idle time (here ${SHORT_IDLE_MS / 1000} s, usually ${IDLE_MS / 60_000} min) | ${show(figures.idle)} |`,
    `| the first search after that, ms | ${median(figures.firstMs).toFixed(0)} |`,
  ].join('\n');
}

if (import.meta.main) {
  const cache = cacheDirectory(process.env);
  if (!existsSync(packageCatalogue(cache, PINNED_N8N))) throw new Error('Run `sluice nodes sync --meanings` first.');
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    const figures = await measureIdle(root, cache, Number(process.argv[2] ?? 3), (line) => console.error(line));
    console.log(`${idleTable(figures)}\n\n${goalTable([idleGoal(figures)])}`);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
