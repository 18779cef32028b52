import { once } from 'node:events';
import { mkdtempDisposable, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startFreshN8n } from '../../support/n8n.ts';
import { openWorkbench } from '../../support/workbench.ts';
import { hook, line, make, node } from '../../support/workflows.ts';
import { startStepServer } from '../../fixtures/step-server.ts';
import { blueprintCalls } from '../../support/blueprints.ts';
import { lineTo } from '../../support/cut-line.ts';
import { createDatabase } from '../../support/postgres.ts';
import { startGateway } from '../harness.ts';

interface View {
  run: string;
  state: string;
  error?: string;
}

const status = (run: string, wait_seconds = 30) => ['blueprint_status', { run, wait_seconds }] as const;

test('an approval, a wait and what was done survive a restart', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-restart-'));
  await using server = await startStepServer();
  const config = { mcpServers: { steps: server.entry } };
  let run = '';
  {
    await using gateway = await startGateway(config, { home: directory.path });
    await using calls = await blueprintCalls(gateway);
    await calls.call('blueprint_save', {
      text: `name: patient
steps:
  - { id: made, tool: steps__act, arguments: { name: made } }
  - { id: go, approval: "Go?" }
  - { id: nap, wait: 2s }
  - { id: after, tool: steps__act, arguments: { name: after } }`,
    });
    ({ run } = await calls.call<View>('blueprint_deploy', { name: 'patient', run_id: 'mine' }));
  }
  {
    await using gateway = await startGateway(config, { home: directory.path });
    await using calls = await blueprintCalls(gateway);
    expect(await calls.call('blueprint_status', { run: 'mine' })).toMatchObject({
      run,
      state: 'waiting',
      waits: { question: 'Go?' },
    });
    await calls.call('blueprint_approve', { run, approve: true });
    await expect.poll(() => calls.call('blueprint_status', { run })).toMatchObject({ waits: { for: 'time' } });
  }
  await using gateway = await startGateway(config, { home: directory.path });
  await using calls = await blueprintCalls(gateway);
  expect(await calls.call(...status(run))).toMatchObject({ state: 'succeeded' });
  expect(server.calls.map(({ name }) => name)).toEqual(['made', 'after']);
});

test('a gateway that is stopped ends the step that runs, and begins no other', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-stopped-'));
  await using server = await startStepServer();
  const config = { mcpServers: { steps: server.entry } };
  const names = Array.from({ length: 8 }, (_, n) => `s${n}`);
  let run = '';
  {
    await using gateway = await startGateway(config, { home: directory.path });
    await using calls = await blueprintCalls(gateway);
    const steps = names.map((name) => `  - { id: ${name}, tool: steps__act, arguments: { name: ${name}, ms: 400 } }`);
    await calls.call('blueprint_save', { text: `name: long\nsteps:\n${steps.join('\n')}` });
    ({ run } = await calls.call<View>('blueprint_deploy', { name: 'long', wait_seconds: 0 }));
    await expect.poll(() => server.calls.length).toBe(2);
  }
  expect(server.calls.length).toBeLessThan(5);
  await using gateway = await startGateway(config, { home: directory.path });
  await using calls = await blueprintCalls(gateway);
  expect(await calls.call(...status(run))).toMatchObject({ state: 'succeeded' });
  expect(server.calls.map(({ name }) => name)).toEqual(names);
});

test('a step waits for a tool that is not there yet after a restart', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-late-'));
  await using server = await startStepServer();
  let run = '';
  {
    await using gateway = await startGateway({ mcpServers: { steps: server.entry } }, { home: directory.path });
    await using calls = await blueprintCalls(gateway);
    await calls.call('blueprint_save', {
      text: 'name: late\nsteps: [{ id: go, approval: "Go?" }, { id: made, tool: steps__put, arguments: { name: made } }]',
    });
    ({ run } = await calls.call<View>('blueprint_deploy', { name: 'late' }));
  }
  await using gateway = await startGateway({}, { home: directory.path });
  await using calls = await blueprintCalls(gateway);
  await calls.call('blueprint_approve', { run, approve: true });
  await expect.poll(() => calls.call('blueprint_status', { run })).toMatchObject({ state: 'running' });
  await gateway.reload({ mcpServers: { steps: server.entry } });
  expect(await calls.call(...status(run))).toMatchObject({ state: 'succeeded' });
});

test('without the engine’s own file, a run goes on from its journal', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-engine-'));
  await using server = await startStepServer();
  const config = { mcpServers: { steps: server.entry } };
  let run = '';
  {
    await using gateway = await startGateway(config, { home: directory.path });
    await using calls = await blueprintCalls(gateway);
    await calls.call('blueprint_save', {
      text: 'name: lost\nsteps: [{ id: made, tool: steps__act, arguments: { name: made } }, { id: go, approval: "Go?" }, { id: end, tool: steps__act, arguments: { name: end } }]',
    });
    ({ run } = await calls.call<View>('blueprint_deploy', { name: 'lost' }));
  }
  for (const end of ['', '-wal', '-shm']) await rm(join(directory.path, `runs.db${end}`), { force: true });
  await using gateway = await startGateway(config, { home: directory.path });
  await using calls = await blueprintCalls(gateway);
  await calls.call('blueprint_approve', { run, approve: true });
  expect(await calls.call(...status(run))).toMatchObject({ state: 'succeeded' });
  expect(server.calls.map(({ name }) => name)).toEqual(['made', 'end']);
});

test('a database that goes away in the middle loses nothing and repeats nothing', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-away-'));
  await using database = await createDatabase();
  const url = new URL(database.url);
  await using line = await lineTo(Number(url.port));
  url.host = `127.0.0.1:${line.port}`;
  await using server = await startStepServer();
  await using gateway = await startGateway(
    { mcpServers: { steps: server.entry }, blueprints: { takeover: '3s' } },
    { home: directory.path, store: url.href, env: { SLUICE_SECRET_KEY: 'a secret key for a database that goes away' } },
  );
  await using calls = await blueprintCalls(gateway);
  const steps = Array.from({ length: 6 }, (_, n) => `  - { id: s${n}, tool: steps__act, arguments: { name: s${n} } }`);
  await calls.call('blueprint_save', { text: `name: stormy\nsteps:\n${steps.join('\n')}` });
  // Cut while the third step runs: how it ends has to be written down later.
  server.before = async ({ name }) => {
    if (name !== 's2') return;
    line.cut();
    setTimeout(() => line.mend(), 2000);
  };
  const { run } = await calls.call<View>('blueprint_deploy', { name: 'stormy', wait_seconds: 0 });
  await expect
    .poll(() => calls.call<View>('blueprint_status', { run }).catch(() => undefined), { timeout: 40_000 })
    .toMatchObject({ state: 'succeeded' });
  expect(server.calls.map(({ name }) => name)).toEqual(['s0', 's1', 's2', 's3', 's4', 's5']);
});

test('a server that goes away or falls silent in the middle of a call: what is not safe to repeat is unknown, and not tried again', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-cut-'));
  await using server = await startStepServer();
  const url = new URL(server.entry.url);
  await using line = await lineTo(Number(url.port));
  url.host = `127.0.0.1:${line.port}`;
  await using gateway = await startGateway(
    { mcpServers: { cut: { url: url.href }, silent: { ...server.entry, callTimeout: '1s' } } },
    { home: directory.path },
  );
  await using calls = await blueprintCalls(gateway);
  const end = async (name: string, tool: string) => {
    const step = `{ id: once, tool: ${tool}, arguments: { name: ${name} }, retry: { times: 5, backoff: 500ms } }`;
    await calls.call('blueprint_save', { text: `name: ${name}\nsteps: [${step}]` });
    return calls.call<View>('blueprint_deploy', { name, wait_seconds: 30 });
  };
  server.before = async ({ name }) => {
    if (name === 'silent') await new Promise((resolve) => setTimeout(resolve, 10_000).unref());
    if (server.calls.filter((call) => call.name === name).length > 1) return;
    line.cut();
    setTimeout(() => line.mend(), 300);
    await new Promise((resolve) => setTimeout(resolve, 300));
  };
  expect(await end('broken', 'cut__act')).toMatchObject({ state: 'unknown', error: expect.stringContaining('Nobody') });
  expect(await end('silent', 'silent__act')).toMatchObject({ state: 'unknown' });
  expect(server.calls.map(({ name }) => name)).toEqual(['broken', 'silent']);
  // What is safe to repeat is, with its key.
  expect(await end('safe', 'cut__put')).toMatchObject({ state: 'succeeded' });
  expect(new Set(server.calls.slice(2).map(({ key }) => key)).size).toBe(1);
});

test('a run that ended long ago is deleted, although nobody has deployed anything since', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-old-'));
  {
    await using gateway = await startGateway({}, { home: directory.path });
    await using calls = await blueprintCalls(gateway);
    await calls.call('blueprint_save', { text: 'name: short\nsteps: [{ id: nap, wait: 1ms }]' });
    await calls.call('blueprint_deploy', { name: 'short' });
    await gateway.runtime.store.tables.change('UPDATE blueprint_runs SET ended_at = ?', Date.now() - 91 * 86_400_000);
  }
  await using gateway = await startGateway({}, { home: directory.path });
  await expect.poll(() => gateway.runtime.store.tables.rows('SELECT id FROM blueprint_runs')).toEqual([]);
});

test('files in the folder are blueprints as soon as they are there', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-files-'));
  await using gateway = await startGateway({}, { home: directory.path });
  await using calls = await blueprintCalls(gateway);
  await mkdir(join(directory.path, 'blueprints'));
  const file = join(directory.path, 'blueprints', 'own.yaml');
  const listed = async () => JSON.stringify(await calls.call('blueprint_list_definitions', { query: 'own' }));
  await writeFile(file, 'name: own\nsteps: [{ id: look, tool: gateway_status }]');
  await expect.poll(listed, { timeout: 10_000 }).toContain('"origin":"file"');
  expect(await calls.call('blueprint_deploy', { name: 'own' })).toMatchObject({ state: 'succeeded' });
  await writeFile(file, 'name: own\nstep: []');
  await expect.poll(listed, { timeout: 10_000 }).toContain('"problems"');
  await expect(calls.call('blueprint_deploy', { name: 'own' })).rejects.toThrow(/line 2/);
  await expect(calls.call('blueprint_save', { text: 'name: own\nsteps: [{ id: a, wait: 1s }]' })).rejects.toThrow(
    /file/,
  );
});

test.skipIf(n8nIsMissing)(
  'an n8n that is killed in the middle of a workflow: it is run again with its key, or its end is unknown; a step that begins waits',
  async () => {
    await using n8n = await startFreshN8n();
    await using bench = await openWorkbench([], n8n);
    // The workflows call this and wait for its answer.
    const keys: string[] = [];
    let isHeld = true;
    await using target = createServer((request, response) => {
      keys.push(String(request.headers['x-key']));
      if (!isHeld) response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const calls = node('Call', 'httpRequest', 4.2, {
      method: 'POST',
      url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`,
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'x-key', value: '={{ $json.body.idempotency_key }}' }] },
    });
    const { id } = await make(bench, 'long', line(hook(bench.name('long')), calls));
    await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-n8n-away-'));
    await using gateway = await startGateway(
      { n8n: { default: { url: n8n.url, apiKey: n8n.apiKey, login: n8n.owner } }, nodes: withoutCatalogue },
      { home: directory.path },
    );
    await using blueprints = await blueprintCalls(gateway);
    const deploy = async (name: string, more: object) => {
      const steps = [{ id: 'work', workflow: id, input: {}, ...more }];
      await blueprints.call('blueprint_save', { text: JSON.stringify({ name, steps }) });
      return (await blueprints.confirmed<View>('blueprint_deploy', { name, wait_seconds: 0 })).run;
    };
    const safe = await deploy('safe', { retry: { times: 3, backoff: '2s' } });
    const single = await deploy('single', { idempotent: false, retry: { times: 3, backoff: '2s' } });
    await expect.poll(() => keys.toSorted(), { timeout: 30_000 }).toEqual([`${safe}:work`, `${single}:work`]);
    isHeld = false;
    await n8n.kill();
    const late = await deploy('late', {});
    const begun = { steps: [{ step: 'work', state: 'running' }] };
    await expect.poll(() => blueprints.call('blueprint_status', { run: late })).toMatchObject(begun);
    await expect(fetch(n8n.url), 'n8n is still away').rejects.toThrow('fetch failed');
    const end = (run: string) => blueprints.call<View>('blueprint_status', { run, wait_seconds: 120 });
    expect(await end(safe)).toMatchObject({ state: 'succeeded' });
    expect(await end(single)).toMatchObject({ state: 'unknown', error: expect.stringMatching(/execution/i) });
    expect(await end(late)).toMatchObject({ state: 'succeeded' });
    expect(keys.toSorted()).toEqual([safe, safe, single, late].map((run) => `${run}:work`).toSorted());
  },
  N8N_START_MS,
);

test('a folder of the configuration that does not exist is a problem', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-folders-'));
  // The first one twice: its files do not have the name of one another.
  const folders = [join(directory.path, 'blueprints'), join(directory.path, 'misspelled'), 'blueprints'];
  await mkdir(join(directory.path, 'blueprints'));
  await writeFile(join(directory.path, 'blueprints', 'zebra.yaml'), 'name: zebra\nsteps: [{ id: a, wait: 1s }]');
  await using gateway = await startGateway({ blueprints: { folders } }, { home: directory.path });
  await using calls = await blueprintCalls(gateway);
  expect(await calls.call('blueprint_list_definitions', { query: 'zebra' })).toMatchObject({
    definitions: [{ name: 'zebra', origin: 'file' }],
    problems: [`${folders[1]}: There is no such folder. Create it, or correct its path.`],
  });
});
