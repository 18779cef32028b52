/**
 * What an earlier version of Sluice leaves behind: keys, events, an added server, memories, a graph, a project, and a run
 * that waits for a person. scripts/keep-home.ts lets that version write it, and test/e2e/upgrade.test.ts starts this one on it.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blueprintCalls } from './blueprints.ts';
import { withoutCatalogue } from './catalogue.ts';
import type { ServeProcess } from './serve-process.ts';

/** What a test needs to find it again. */
export interface Kept {
  readonly key: string;
  readonly revoked: string;
  readonly run: string;
  readonly trace: string;
}

/** The least that speaks MCP. It is stored with the server, so that it is there wherever a kept home is started. */
const counter = `
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'kept', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'measure', description: 'How long the hidden text is', inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true } }] }),
  'tools/call': () => ({ content: [], structuredContent: { length: (process.env.HIDDEN ?? '').length } }),
  ping: () => ({}),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.();
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: method } }) }));
});`;

/** It is sealed in the store. */
export const HIDDEN = 'what only the added server may know';

/** For PostgreSQL; an embedded store has its key beside it. */
export const SECRET_KEY = 'the secret key of the homes that tests keep';

/** Nothing that is kept may expire before the test that looks for it. */
export const keptConfig = {
  auth: { mode: 'keys' },
  gateway: { allowCommands: true },
  events: { keep: '3650d' },
  blueprints: { keepDays: 3650 },
  nodes: withoutCatalogue,
};

const walk = `name: walk
steps:
  - { id: before, tool: added__measure, arguments: {} }
  - { id: go, approval: "Go on after the upgrade?" }
  - { id: after, tool: added__measure, arguments: {} }
outputs: { before: "\${steps.before.result.length}", after: "\${steps.after.result.length}" }
`;

/** The commands of a version, for one home. What they print. */
export function sluiceIn(home: string, bin: string, env: Record<string, string>) {
  return async (...args: string[]): Promise<string> => {
    const place = { PATH: process.env.PATH, HOME: home, SLUICE_HOME: home, ...env };
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], { cwd: home, env: place });
    return stdout.trim();
  };
}

/** Fills a home through the gateway that serves it. `bin` is that version's own command. */
export async function fillHome({ url, home }: ServeProcess, bin: string, env: Record<string, string>): Promise<Kept> {
  const sluice = sluiceIn(home, bin, env);
  const key = await sluice('keys', 'create', '--name', 'kept', '--scopes', 'admin');
  const revoked = await sluice('keys', 'create', '--name', 'revoked');
  await sluice('keys', 'revoke', 'revoked');
  await writeFile(join(home, 'walk.yaml'), walk);
  await using calls = await blueprintCalls({ url, home }, { authorization: `Bearer ${key}` });
  await calls.confirmed('gateway_add_server', {
    name: 'added',
    server: { command: 'node', args: ['-e', counter], env: { HIDDEN } },
  });
  await calls.call('added__measure');
  await calls.call('memory_store', { text: 'The kettle in the kitchen boils in four minutes.', namespace: 'kept' });
  await calls.call('graph_create_entities', { entities: [{ name: 'Ada', type: 'person', observations: ['writes'] }] });
  await calls.call('project_create', { name: 'kept', description: 'What an upgrade must keep' });
  await sluice('blueprint', 'save', 'walk.yaml');
  const { run } = await calls.confirmed<{ run: string }>('blueprint_deploy', { name: 'walk', inputs: {} });
  for (let state = ''; state !== 'waiting'; )
    ({ state } = await calls.call<{ state: string }>('blueprint_status', { run }));
  const { events } = await calls.call<{ events: { trace_id: string }[] }>('get_events', {
    event_type: 'tool.call_completed',
  });
  return { key, revoked, run, trace: events[0]?.trace_id as string };
}
