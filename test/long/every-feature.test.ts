/**
 * Everything at once, for as long as SLUICE_SOAK_MINUTES says (default 15), and then nothing: memory stays bounded while
 * all features are used, and is given back afterwards. It measures the package as npm publishes it: a clone also holds what
 * makes JavaScript of its sources.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startReference } from '../conformance/service.ts';
import { type Json, openSession } from '../integration/harness.ts';
import { callIn } from '../support/exchange.ts';
import { toolsOver } from '../support/invoke.ts';
import { freshMachine } from '../support/node-tour.ts';
import { ownRedis } from '../support/own-redis.ts';
import { installPacked, packInClone } from '../support/packed.ts';
import { call as plainCall, statusOf } from '../support/plain-calls.ts';
import { odd, scratch } from '../support/processes.ts';
import { serve, type ServeProcess } from '../support/serve-process.ts';

const MINUTES = Number(process.env.SLUICE_SOAK_MINUTES ?? 15);
const CALLERS = 8;
const MOST_BUSY_MB = 400;
const MOST_IDLE_MB = 160;
const IDLE_MINUTES = 5;

const run = promisify(execFile);

async function rssOf({ pid }: ServeProcess): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

const words = [
  'invoice',
  'deploy',
  'backup',
  'orders',
  'meeting',
  'database',
  'customer',
  'release',
  'sensor',
  'budget',
];
const word = (n: number) => words[n % words.length] as string;
const workflow = {
  name: 'Soak',
  nodes: [
    {
      id: 'a',
      name: 'Every day',
      type: 'n8n-nodes-base.scheduleTrigger',
      typeVersion: 1.2,
      position: [0, 0],
      parameters: {},
    },
    {
      id: 'b',
      name: 'Ask',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      position: [220, 0],
      parameters: { url: 'https://example.com' },
    },
  ],
  connections: { 'Every day': { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
};
const blueprint = (n: number) => `name: soak-${n}
steps:
  - { id: said, tool: old__echo, arguments: { text: "\${inputs.text}" } }
  - { id: kept, for_each: "\${['a', 'b', 'c']}", as: one, tool: old__echo, arguments: { text: "\${one}" } }
inputs: { text: { type: string } }
`;

/** One use of each feature. */
const uses: Record<string, (n: number, at: { url: string; call: ReturnType<typeof toolsOver> }) => Promise<unknown>> = {
  'a server of today': (n, { call }) => call('far__echo', { text: `hello ${n}` }),
  'a server of yesterday': (n, { call }) => call('old__echo', { text: `hello ${n}` }),
  'a program': (n, { call }) => call('program__echo', { text: `hello ${n}` }),
  'a session': async (n, { url }) => {
    const session = await openSession(url);
    await callIn(`${url}/mcp`, session, 'far__echo', { text: `hello ${n}` });
    await fetch(`${url}/mcp`, { method: 'DELETE', headers: session });
  },
  'search of tools': (n, { url }) =>
    plainCall(url, 'find_tools', { query: `tell me about the ${word(n)} of ${word(n * 7)}` }),
  'search of nodes': (n, { call }) => call('search_nodes', { query: `when a ${word(n)} arrives, write it down` }),
  'details of a node': (n, { call }) => call('get_node_details', { nodes: [n % 2 === 0 ? 'httpRequest' : 'slack'] }),
  validation: (_, { call }) => call('n8n_validate_workflow', { workflow }),
  memory: async (n, { call }) => {
    await call('memory_store', { text: `The ${word(n)} of ${word(n * 3)} number ${n} is due on day ${n % 28}.` });
    await call('memory_search', { query: `When is the ${word(n)} due?` });
  },
  graph: async (n, { call }) => {
    await call('graph_create_entities', {
      entities: [{ name: `${word(n)} ${n}`, type: word(n), observations: ['x'] }],
    });
    await call('graph_search', { query: word(n) });
  },
  blueprints: async (n, { call }) => {
    await call('blueprint_save', { text: blueprint(n % 20) });
    await call('blueprint_deploy', { name: `soak-${n % 20}`, inputs: { text: 'hi' }, wait_seconds: 10 });
  },
  projects: (_, { call }) => call('project_list', {}),
  redis: async (n, { call }) => {
    await call('redis_set_key', { key: `k${n % 100}`, value: word(n).repeat(1000) });
    await call('redis_get_key', { key: `k${n % 100}` });
  },
  events: (_, { call }) => call('get_events', { limit: 50 }),
  'usage and status': async (_, { url, call }) => {
    await call('gateway_usage', {});
    await Promise.all(
      ['api/v1/status', 'metrics', 'openapi.json', 'api/v1/waiting', 'api/v1/events'].map((path) => get(url, path)),
    );
  },
  console: async (_, { url }) => {
    const page = await get(url, 'console/', { accept: 'text/html' });
    for (const [, path] of page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g))
      await get(new URL(path as string, `${url}/console/`).href, '');
  },
};

async function get(url: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(path === '' ? url : `${url}/${path}`, {
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
  return text;
}

test(`every feature for ${MINUTES} minutes: at most ${MOST_BUSY_MB} MB, and ${MOST_IDLE_MB} MB once idle`, async () => {
  const { place, env } = await freshMachine();
  await using _ = place;
  await using files = await scratch();
  const { folder } = await installPacked(await packInClone(files.directory), files.directory);
  await using redis = await ownRedis();
  await using far = await startReference('both');
  await using old = await startReference('legacy');
  await using gateway = await serve(
    files.directory,
    {
      mcpServers: { program: { ...odd(), expose: 'search' }, far: { url: far.url }, old: { url: old.url } },
      modules: { redis: { url: redis.url, mode: 'read-write' } },
    },
    { env, bin: join(folder, 'node_modules/sluice/bin/sluice.js') },
  );
  const states = async () => (await statusOf(gateway.url)).backends.map(({ state }) => state);
  await expect.poll(states, { timeout: 30_000 }).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
  const at = { url: gateway.url, call: toolsOver(gateway.url) };

  const failures = new Map<string, string>();
  const counts = new Map<string, number>();
  const all = Object.entries(uses);
  let next = 0;
  const end = Date.now() + MINUTES * 60_000;
  const samples: number[] = [];
  const sampling = setInterval(() => void rssOf(gateway).then((mb) => samples.push(mb)), 1000);
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (Date.now() < end) {
        const n = next++;
        const [name, use] = all[n % all.length] as (typeof all)[number];
        await use(n, at).then(
          () => counts.set(name, (counts.get(name) ?? 0) + 1),
          (error: unknown) => failures.set(name, String(error)),
        );
      }
    }),
  );
  const busy = Math.max(...samples);
  const idleFrom = Date.now();
  let idle = await rssOf(gateway);
  while (idle >= MOST_IDLE_MB && Date.now() - idleFrom < IDLE_MINUTES * 60_000) {
    await pause(2000);
    idle = await rssOf(gateway);
  }
  clearInterval(sampling);
  const shown: Json = Object.fromEntries(counts);
  const minutes = samples.filter((__, index) => index % 60 === 0).map((mb) => mb.toFixed(0));
  const after = ((Date.now() - idleFrom) / 1000).toFixed(0);
  console.log(
    `${next} uses: ${JSON.stringify(shown)}. RSS in MB: most ${busy.toFixed(0)}, by minute ${minutes.join(' ')}, idle ${idle.toFixed(0)} after ${after} s`,
  );
  expect(Object.fromEntries(failures)).toEqual({});
  expect(busy).toBeLessThan(MOST_BUSY_MB);
  expect(idle).toBeLessThan(MOST_IDLE_MB);
});
