/** The bridge as a user meets it: the commands of docs/bridge.md in the order a newcomer types them, on their own n8n. */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import type { Workflow } from '../../src/n8n/client/shapes.ts';
import { GENERATED_TAG } from '../../src/n8n/generated.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { freePort } from '../support/free-port.ts';
import { agentWith, calculator, codeTool } from '../support/tool-bench.ts';
import { callTool, connectV1, connectV2, textOf } from '../integration/harness.ts';
import { hook, line, set } from '../support/workflows.ts';
import { type FreshN8n, N8N_START_MS, n8nIsMissing, startFreshN8n } from '../support/n8n.ts';
import { createPlace, type Place, type Started } from '../support/command-line.ts';

const require = createRequire(import.meta.url);
const INSPECTOR = require.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const SUM = 'support_agent__Calculator';
const settings = { executionOrder: 'v1' };

describe.skipIf(n8nIsMissing)('sluice bridge', () => {
  let place: Place;
  let n8n: FreshN8n;
  let client: N8nClient;
  let served: Started | undefined;
  let url: string;
  let agent: Workflow;
  let report: Workflow;
  let untouched: string;
  /** Everything that the commands printed. */
  const said: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    place = await createPlace();
    // Polling is off in practice: the gateway learns of changes only through the hook.
    const yaml = (entry: string) =>
      `server: { port: ${port} }\nn8n: { default: ${entry} }\nbridge: { poll: 1h }\nnodes: { build: manual }\n`;
    const file = join(place.project, 'sluice.yaml');
    await writeFile(file, yaml('{ url: "http://127.0.0.1:9", apiKey: none }'));
    const written = await place.run(['n8n', 'hook', '--out', 'sluice-hook.js', '--url', url]);
    said.push(written.stdout, written.stderr);
    n8n = await startFreshN8n({ env: { EXTERNAL_HOOK_FILES: written.stdout.trim() } });
    await writeFile(join(place.project, '.env'), `N8N_API_KEY=${n8n.apiKey}\n`);
    await writeFile(file, yaml(`{ url: "${n8n.url}", apiKey: "\${N8N_API_KEY}" }`));
    client = createN8nClient('default', { url: n8n.url, apiKey: n8n.apiKey, timeoutMs: 30_000 });
    const tools = [calculator(), codeTool('shout', 'return query.text.toUpperCase()')];
    agent = await client.workflows.create({ name: 'Support agent', ...agentWith(tools), settings });
    const body = line(hook('report'), set('Out', '({ month: $json.body.month, sold: 3 })'));
    report = await client.workflows.create({ name: 'Monthly report', ...body, settings });
    await client.workflows.publish(report.id);
    const tag = await client.tags.create('mcp');
    await client.workflows.setTags(report.id, [tag.id]);
    // n8n counts them some time after it says that it is published.
    while ((await client.workflows.get(report.id)).triggerCount !== 1) await delay(50);
    untouched = await everything();
  }, N8N_START_MS);

  afterAll(async () => {
    served?.child.kill('SIGTERM');
    await served?.finished;
    await place?.[Symbol.asyncDispose]();
    await n8n?.[Symbol.asyncDispose]();
  });

  /** Everything in n8n, whoever made it. */
  async function everything(): Promise<string> {
    const byId = <T extends { id: string }>(all: T[]) => all.sort((a, b) => (a.id < b.id ? -1 : 1));
    const ids = byId(await Array.fromAsync(client.workflows.all())).map(({ id }) => id);
    const workflows = await Promise.all(ids.map((id) => client.workflows.get(id)));
    const tags = byId(await Array.fromAsync(client.tags.all()));
    const credentials = byId(await Array.fromAsync(client.credentials.all()));
    return JSON.stringify({ workflows, tags, credentials }, null, 1);
  }

  async function sluice(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await place.run(args);
    if (code !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${code}: ${stderr}`);
    said.push(stdout, stderr);
    return `${stdout}${stderr}`;
  }

  /** The result of a client we did not write, MCP Inspector's command line. */
  function inspected(...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: place.user, MCP_STORAGE_DIR: join(place.user, 'storage') };
    const all = [INSPECTOR, '--cli', ...args, '--format', 'json', `${url}/mcp`, '--transport', 'http'];
    return new Promise((resolve, reject) => {
      execFile(process.execPath, all, { env, cwd: place.user }, (error, stdout, stderr) =>
        error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
      );
    });
  }

  test('status and plan write nothing: they show what could be bridged, and what apply would do', async () => {
    expect(said.join('')).toContain('EXTERNAL_HOOK_FILES=');
    // Before any gateway serves.
    const status = await sluice('bridge', 'status');
    expect(status).toMatch(/Support agent\s+-\s+2 AI tools\s+not chosen/);
    expect(status).toMatch(/Monthly report\s+tag\s+run_monthly_report\s+listed/);

    served = place.start(['serve']);
    await served.printed('Ready:');
    const plan = await sluice('bridge', 'plan', 'Support agent');
    expect(plan).toContain(`+ ${SUM}`);
    expect(plan).toContain('+ support_agent__shout');
    expect(plan).toContain('+ run_monthly_report');
    expect(plan).toContain('Would be written to n8n:');
    expect(plan).toContain("`sluice bridge apply 'Support agent'` does it");
    expect(await everything()).toBe(untouched);
    expect((await place.run(['call', SUM, '{"input":"25*42"}'])).code).not.toBe(0);
  }, 30_000);

  test('after apply, the tools are listed, and every client gets 1050', async () => {
    const applied = await sluice('bridge', 'apply', 'Support agent');
    expect(applied).toContain(`${SUM}\n`);
    expect(applied).toContain('run_monthly_report\n');
    expect(applied).toContain('default: 1 generated workflow.');
    expect(await sluice('bridge', 'status', 'Support agent')).toMatch(
      /support_agent__Calculator\s+listed[^]*default: 3 listed, 0 broken, 1 generated workflow\./,
    );
    expect(await sluice('tools', 'support_agent__*')).toContain(SUM);
    const place2 = { url, home: place.home };
    await using v1 = await connectV1(place2);
    await using v2 = await connectV2(place2, { era: 'modern' });
    const answers = await Promise.all([
      sluice('call', SUM, '{"input":"25*42"}'),
      callTool(v1, SUM, { input: '25*42' }).then(textOf),
      callTool(v2, SUM, { input: '25*42' }).then(textOf),
      inspected('--method', 'tools/call', '--tool-name', SUM, '--tool-args-json', '{"input":"25*42"}'),
    ]);
    for (const answer of answers) expect(answer).toContain('1050');
    expect(await inspected('--method', 'tools/list', '--strict')).toContain(`"${SUM}"`);
    expect(await sluice('call', 'run_monthly_report', '{"month":"May"}')).toContain('"sold":3');
    const wrong = await place.run(['call', 'support_agent__shout', '{"text":5}']);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('was not called: text') });
    const events = await sluice('events', '--type', 'tool.call_completed', '--json');
    expect(events).toContain(SUM);
    expect(events).toContain('run_monthly_report');
  }, 40_000);

  test('changes in n8n arrive through the file that `sluice n8n hook` wrote', async () => {
    await using listener = await connectV2({ url, home: place.home });
    const notices: string[] = [];
    listener.setNotificationHandler('notifications/tools/list_changed', ({ method }) => void notices.push(method));
    const { nodes, connections } = await client.workflows.get(report.id);
    await client.workflows.unpublish(report.id);
    const listed = async () => (await listener.listTools()).tools.map(({ name }) => name);
    await vi.waitFor(async () => expect(await listed()).not.toContain('run_monthly_report'), 10_000);
    await vi.waitFor(() => expect(notices).not.toHaveLength(0), 10_000);
    await client.workflows.update(report.id, { name: 'Weekly report', nodes, connections, settings }, false);
    await client.workflows.publish(report.id);
    // After a rename it is still the same tool.
    await vi.waitFor(async () => expect(await listed()).toContain('run_monthly_report'), 10_000);
    expect(await sluice('events', '--type', 'bridge.workflows_changed', '--json')).toMatch(/"via":\s*"hook"/);
    await client.workflows.update(report.id, { name: 'Monthly report', nodes, connections, settings }, true);
  }, 30_000);

  test('after remove, nothing of ours remains, and the workflow is byte for byte unchanged', async () => {
    const removed = await sluice('bridge', 'remove');
    expect(removed).toContain('[sluice] ');
    expect(removed).toContain('Removed 1 generated workflow and 1 credential.');
    const now = JSON.parse(await everything()) as { workflows: Workflow[]; tags: { name: string }[] };
    const before = JSON.parse(untouched) as typeof now & { credentials: object[] };
    const agentIn = ({ workflows }: typeof now) => JSON.stringify(workflows.find(({ id }) => id === agent.id));
    expect(agentIn(now)).toBe(agentIn(before));
    expect(now.workflows.map(({ id }) => id)).toEqual(before.workflows.map(({ id }) => id));
    expect(now).toMatchObject({ tags: before.tags, credentials: before.credentials });
    expect(now.tags.map(({ name }) => name)).not.toContain(GENERATED_TAG);
    expect(await sluice('tools')).not.toContain(SUM);
    const gone = await place.run(['call', SUM, '{"input":"25*42"}']);
    expect(gone.code).not.toBe(0);
    // The second time there is nothing to do; as a tool, it asks first.
    expect(await sluice('bridge', 'remove')).toContain('Removed 0 generated workflows');
    const asked = await place.run(['call', 'bridge_cleanup', '{}']);
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect(await sluice('call', 'bridge_cleanup', '{}', '--yes')).toMatch(/"removed":\s*\[\]/);
    expect(await sluice('events', '--json', '--since', '1h')).toContain('bridge.removed');
    // It does not come back, neither by itself nor with the next start.
    served?.child.kill('SIGTERM');
    const { stdout, stderr } = (await served?.finished) ?? { stdout: '', stderr: '' };
    said.push(stdout, stderr);
    expect(await sluice('bridge', 'status')).toContain('0 generated workflows');
    expect(JSON.parse(await everything())).toMatchObject({ tags: before.tags, credentials: before.credentials });
  }, 30_000);

  test('the secrets of endpoints and hooks are printed nowhere, and are in no other file', async () => {
    await using store = await openSqlite(join(place.home, 'sluice.db'));
    const secrets = [
      n8n.apiKey,
      (await store.settings.secret('bridge.header.default')).toString('base64url'),
      (await store.settings.secret('bridge.hook.default')).toString('hex'),
    ];
    expect(await readFile(join(place.project, 'sluice-hook.js'), 'utf8')).toContain(secrets[2]);
    const places = new Map([['printed', said.join('\n')]]);
    for (const file of await readdir(place.home, { recursive: true, withFileTypes: true })) {
      if (!file.isFile() || file.name.startsWith('sluice.db')) continue;
      places.set(file.name, await readFile(join(file.parentPath, file.name), 'latin1'));
    }
    for (const [where, text] of places)
      for (const [index, secret] of secrets.entries())
        expect(text.includes(secret), `${index} in ${where}`).toBe(false);
  });
});
