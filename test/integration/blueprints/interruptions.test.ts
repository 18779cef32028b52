import { mkdtempDisposable, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
