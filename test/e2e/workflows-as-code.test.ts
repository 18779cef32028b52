import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import type { Workflow } from '../../src/n8n/client/shapes.ts';
import { writable } from '../../src/n8n/workflows/body.ts';
import { sharedCache } from '../support/catalogue.ts';
import { bin, createPlace, type Place } from '../support/command-line.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../support/n8n.ts';

const prefix = `asc${Math.random().toString(36).slice(2, 7)}`;
const header = { type: 'httpHeaderAuth', name: `${prefix} key` };
const position = [0, 0] as [number, number];

const invoices = {
  name: `${prefix} Invoices`,
  nodes: [
    {
      id: 'start',
      name: 'Start',
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      position,
      parameters: { inputSource: 'passthrough' },
    },
    {
      id: 'sum',
      name: 'Sum',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position,
      parameters: { mode: 'raw', jsonOutput: '{"total":40}' },
    },
  ],
  connections: { Start: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
};

const orders = (sub: string, credential: string) => ({
  name: `${prefix} Orders`,
  description: 'Takes orders',
  nodes: [
    {
      id: 'hook',
      name: 'Hook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position,
      webhookId: '11111111-2222-4333-8444-555555555555',
      parameters: { path: prefix, httpMethod: 'POST', responseMode: 'lastNode', authentication: 'headerAuth' },
      credentials: { httpHeaderAuth: { id: credential, name: header.name } },
    },
    {
      id: 'call',
      name: 'Call',
      type: 'n8n-nodes-base.executeWorkflow',
      typeVersion: 1.2,
      position,
      parameters: {
        workflowId: {
          __rl: true,
          mode: 'list',
          value: sub,
          cachedResultName: 'old name',
          cachedResultUrl: `/workflow/${sub}`,
        },
        options: {},
      },
    },
  ],
  connections: { Hook: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1', errorWorkflow: sub },
});

describe.skipIf(n8nIsMissing)('workflows as code', () => {
  let place: Place;
  let gateway: AsyncDisposable;
  let home: N8nClient;
  let lab: N8nClient;
  let labUrl: string;
  let folder: string;
  let ordersId: string;
  let invoicesId: string;

  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: place.project })).stdout.trim();
  const commit = async () => {
    await git('add', '-A');
    await git('commit', '-qm', 'sync');
  };
  const pull = (...args: string[]) => place.run(['n8n', 'pull', 'flows', '--tag', prefix, ...args]);
  const push = (...args: string[]) => place.run(['n8n', 'push', 'flows', '--tag', prefix, ...args]);
  const file = (name: string) => join(folder, `${prefix}-${name}.json`);
  const read = async (name: string) => JSON.parse(await readFile(file(name), 'utf8')) as Workflow;
  const edit = async (name: string, change: (workflow: Workflow) => void) => {
    const workflow = await read(name);
    change(workflow);
    await writeFile(file(name), JSON.stringify(workflow));
  };
  /** Changes it as somebody in n8n's editor would. */
  const editThere = async (id: string, change: (workflow: Workflow) => void) => {
    const workflow = await home.workflows.get(id);
    change(workflow);
    await home.workflows.update(id, writable(workflow), false);
  };
  const total = (workflow: Workflow, to: number) => {
    for (const node of workflow.nodes) if (node.name === 'Sum') node.parameters.jsonOutput = `{"total":${to}}`;
  };
  const tagged = async (client: N8nClient) =>
    (await Array.fromAsync(client.workflows.all({ tags: [prefix] }))).filter(({ isArchived }) => !isArchived);

  beforeAll(async () => {
    const [one, other] = await Promise.all([startN8n(), startN8n({ database: 'postgres' })]);
    labUrl = other.url;
    home = createN8nClient('default', { url: one.url, apiKey: one.apiKey, timeoutMs: 30_000 });
    lab = createN8nClient('lab', { url: other.url, apiKey: other.apiKey, timeoutMs: 30_000 });
    const n8n = { default: { url: one.url, apiKey: one.apiKey }, lab: { url: other.url, apiKey: other.apiKey } };
    place = await createPlace({ n8n });
    folder = join(place.project, 'flows');
    await git('init', '-q');
    await git('config', 'user.email', 'me@example.com');
    await git('config', 'user.name', 'Me');
    gateway = await place.serve(sharedCache);
    const credential = await home.credentials.create({ ...header, data: { name: 'x-key', value: 'home' } });
    invoicesId = (await home.workflows.create(invoices)).id;
    ordersId = (await home.workflows.create(orders(invoicesId, credential.id))).id;
    const tag = await home.tags.create(prefix);
    for (const id of [ordersId, invoicesId]) await home.workflows.setTags(id, [tag.id]);
  }, N8N_START_MS);

  afterAll(async () => {
    for (const client of [home, lab]) {
      for await (const { id, name } of client.workflows.all())
        if (name.startsWith(prefix)) await client.workflows.delete(id);
      for await (const { id, name } of client.tags.all()) if (name === prefix) await client.tags.delete(id);
      for await (const { id, name } of client.credentials.all())
        if (name === header.name) await client.credentials.delete(id);
    }
    await gateway?.[Symbol.asyncDispose]();
    await place?.[Symbol.asyncDispose]();
  });

  it('writes a file for each workflow, without ids of the n8n, and nothing the second time', async () => {
    const dry = await pull('--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing was written') });
    await expect(readdir(folder)).rejects.toThrow('ENOENT');

    const first = await pull();
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('2 new') });
    expect((await readdir(folder)).sort()).toEqual(['.sluice', `${prefix}-invoices.json`, `${prefix}-orders.json`]);
    const text = await readFile(file('orders'), 'utf8');
    expect(text).not.toContain(ordersId);
    expect(text).not.toContain(invoicesId);
    expect(await read('orders')).toMatchObject({
      description: 'Takes orders',
      tags: [{ name: prefix }],
      settings: { errorWorkflow: `./${prefix}-invoices.json` },
      nodes: [
        { credentials: { httpHeaderAuth: { name: header.name } }, webhookId: '11111111-2222-4333-8444-555555555555' },
        {
          parameters: {
            workflowId: { mode: 'list', value: `./${prefix}-invoices.json`, cachedResultName: invoices.name },
          },
        },
      ],
    });
    await commit();
    expect(await pull()).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to pull, 2 in step') });
    expect(await push('--check')).toMatchObject({ code: 0, stdout: '' });
    expect(await git('status', '--porcelain')).toBe('');
  });

  it('can be validated without a complaint about credentials', async () => {
    const judged = await place.run(['validate', 'flows', '--purpose', 'publish', '--json'], { env: sharedCache });
    const findings = (JSON.parse(judged.stdout) as { findings: { rule: string; severity: string }[] }[]).flatMap(
      (one) => one.findings,
    );
    expect(judged.code).toBe(0);
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('can be validated before each commit with the documented line, whatever the names of the files', async () => {
    const page = await readFile(new URL('../../docs/workflows-as-code.md', import.meta.url), 'utf8');
    const [line = ''] = /^git diff --cached .*$/m.exec(page) ?? [];
    const [tools, workflows] = [join(place.user, 'bin'), join(place.project, 'workflows')];
    for (const path of [tools, join(workflows, '.sluice')]) await mkdir(path, { recursive: true });
    await writeFile(join(tools, 'sluice'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, { mode: 0o755 });
    const env = { ...process.env, ...sharedCache, SLUICE_HOME: place.home, PATH: `${tools}:${process.env.PATH}` };
    const hook = () =>
      promisify(execFile)('sh', ['-c', line], { cwd: place.project, env }).then(
        ({ stderr }) => stderr,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
      );
    await cp(file('orders'), join(workflows, 'über uns.json'));
    await writeFile(join(workflows, '.sluice', 'lab.json'), '{}');
    await git('add', 'workflows');
    expect(await hook()).toContain('1 file checked');
    await writeFile(join(workflows, 'ähm.json'), '{"nodes": [');
    await git('add', 'workflows');
    expect(await hook()).toMatch(/^failed: .*ähm\.json/s);
    await git('rm', '-qrf', 'workflows');
  });

  it('pulls what changed in n8n, and git shows only that', async () => {
    await editThere(invoicesId, (workflow) => total(workflow, 41));
    expect(await pull()).toMatchObject({ code: 0, stdout: expect.stringContaining('changed') });
    const diff = (await git('diff', '-U0', '--', file('invoices'))).split('\n').filter((line) => /^[+-] /.test(line));
    expect(diff).toEqual(['-        "jsonOutput": "{\\"total\\":40}",', '+        "jsonOutput": "{\\"total\\":41}",']);
    await commit();
  });

  it('pushes what changed in a file, and only that', async () => {
    const before = await home.workflows.get(ordersId);
    await edit('orders', (workflow) => {
      for (const node of workflow.nodes) if (node.name === 'Hook') node.notes = 'by file';
    });
    expect(await push('--check')).toMatchObject({ code: 1, stdout: expect.stringContaining('notes set to "by file"') });
    expect(await pull()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^to push +\S+orders\.json/) });
    const pushed = await push();
    expect(pushed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^updated +\S+orders\.json/) });
    const after = await home.workflows.get(ordersId);
    expect(after.nodes[0]).toEqual({ ...before.nodes[0], notes: 'by file' });
    expect(after.settings).toEqual(before.settings);
    expect(after.nodes[1]?.parameters.workflowId).toMatchObject({ value: invoicesId, cachedResultName: invoices.name });

    // What the file no longer has is removed in n8n, too.
    await edit('orders', (workflow) => {
      for (const node of workflow.nodes) delete node.notes;
      delete workflow.settings?.errorWorkflow;
      delete workflow.description;
    });
    expect(await push()).toMatchObject({ code: 0 });
    const less = await home.workflows.get(ordersId);
    expect(less.nodes[0]?.notes ?? '').toBe('');
    expect(less.settings).not.toHaveProperty('errorWorkflow');
    expect(less.description ?? '').toBe('');
    expect(await push()).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to push') });
    await commit();
  });

  it('leaves a workflow alone that changed on both sides, until somebody decides', async () => {
    await edit('invoices', (workflow) => total(workflow, 50));
    await editThere(invoicesId, (workflow) => total(workflow, 60));
    const mine = await readFile(file('invoices'), 'utf8');
    for (const command of [pull, push]) {
      const refused = await command();
      expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/conflict +\S+invoices\.json/) });
      expect(refused.stdout).toContain('changed in the file and in n8n');
    }
    expect(await readFile(file('invoices'), 'utf8')).toBe(mine);
    expect((await home.workflows.get(invoicesId)).nodes[1]?.parameters.jsonOutput).toBe('{"total":60}');

    expect(await push('--force')).toMatchObject({ code: 0 });
    expect((await home.workflows.get(invoicesId)).nodes[1]?.parameters.jsonOutput).toBe('{"total":50}');
    const backups = await place.run(['backup', 'list', invoicesId, '--json']);
    expect(JSON.parse(backups.stdout)).toMatchObject([{ reason: 'update' }]);

    await edit('invoices', (workflow) => total(workflow, 51));
    await editThere(invoicesId, (workflow) => total(workflow, 61));
    expect(await pull('--force')).toMatchObject({ code: 0 });
    expect((await read('invoices')).nodes[1]?.parameters.jsonOutput).toBe('{"total":61}');
    await commit();
  });

  it('renames the file when the workflow is renamed, and follows in the files that refer to it', async () => {
    await editThere(invoicesId, (workflow) => {
      workflow.name = `${prefix} Bills`;
    });
    expect(await pull()).toMatchObject({ code: 0, stdout: expect.stringContaining(`was ${prefix}-invoices.json`) });
    expect((await readdir(folder)).sort()).toEqual(['.sluice', `${prefix}-bills.json`, `${prefix}-orders.json`]);
    expect((await read('orders')).nodes[1]?.parameters.workflowId).toMatchObject({ value: `./${prefix}-bills.json` });
    expect(await push('--check')).toMatchObject({ code: 0 });
    await commit();
  });

  it('promotes to another n8n, with its own credentials, and the workflow runs there', async () => {
    const refused = await push('--instance', 'lab');
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining(`"${header.name}" (httpHeaderAuth)`) });
    expect(await tagged(lab)).toEqual([]);

    await lab.credentials.create({ ...header, data: { name: 'x-key', value: 'lab' } });
    const pushed = await push('--instance', 'lab', '--publish', 'all');
    expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining('2 created, 2 published')]);
    const called = await fetch(`${labUrl}/webhook/${prefix}`, { method: 'POST', headers: { 'x-key': 'lab' } });
    expect([called.status, await called.json()]).toEqual([200, { total: 61 }]);
    const denied = await fetch(`${labUrl}/webhook/${prefix}`, { method: 'POST', headers: { 'x-key': 'home' } });
    expect(denied.status).toBe(403);

    expect(await push('--instance', 'lab', '--check')).toMatchObject({ code: 0, stdout: '' });
    await edit('bills', (workflow) => total(workflow, 62));
    expect(await push('--instance', 'lab', '--publish', 'live')).toMatchObject({ code: 0 });
    await expect
      .poll(async () =>
        (await fetch(`${labUrl}/webhook/${prefix}`, { method: 'POST', headers: { 'x-key': 'lab' } })).json(),
      )
      .toEqual({ total: 62 });
    expect(await git('status', '--porcelain')).toContain('flows/.sluice/lab.json');
    expect(await push()).toMatchObject({ code: 0, stdout: expect.stringContaining('updated') });
    await commit();
  });

  it('creates workflows that call each other, and finds what a file lacks before it writes anything', async () => {
    const bare = (name: string, calls: string) => ({
      name: `${prefix} ${name}`,
      tags: [{ name: prefix }],
      nodes: [
        {
          name: 'Start',
          type: 'n8n-nodes-base.executeWorkflowTrigger',
          typeVersion: 1.1,
          parameters: { inputSource: 'passthrough' },
        },
        {
          name: 'Call',
          type: 'n8n-nodes-base.executeWorkflow',
          typeVersion: 1.2,
          parameters: { workflowId: { __rl: true, mode: 'id', value: `./${prefix}-${calls}.json` } },
        },
      ],
      connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
    });
    await writeFile(file('ping'), JSON.stringify(bare('Ping', 'pong')));
    await writeFile(file('lost'), JSON.stringify(bare('Lost', 'nowhere')));
    await writeFile(file('broken'), '{"nodes": [');
    await writeFile(file('pong'), JSON.stringify(bare('Pong', 'ping')));
    const broken = await place.run(['n8n', 'push', 'flows', `${prefix}-broken`]);
    expect(broken).toMatchObject({ code: 1, stdout: expect.stringMatching(/^error .*\n.*This is not JSON/) });
    await rm(file('broken'));
    const stopped = await push();
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was written') });
    expect(stopped.stdout).toContain(`no such file`);
    expect(await tagged(home)).toHaveLength(2);

    const going = await push('--keep-going', '--json');
    expect(going.code).toBe(1);
    const { workflows } = JSON.parse(going.stdout) as { workflows: { file: string; result: string; id?: string }[] };
    expect(Object.fromEntries(workflows.map((one) => [one.file.slice(prefix.length + 1), one.result]))).toEqual({
      'lost.json': 'error',
      'ping.json': 'created',
      'pong.json': 'created',
    });
    const made = new Map((await tagged(home)).map((one) => [one.name.slice(prefix.length + 1), one]));
    const called = (name: string) =>
      (made.get(name)?.nodes[1]?.parameters.workflowId as { value?: string } | undefined)?.value;
    expect([called('Ping'), called('Pong')]).toEqual([made.get('Pong')?.id, made.get('Ping')?.id]);
    await rm(file('lost'));
    expect(await push('--check')).toMatchObject({ code: 0 });
    await commit();
  });

  it('stops at the first failure, says what was not pushed, and continues when it is repeated', async () => {
    const bare = (name: string) =>
      JSON.stringify({
        name: `${prefix} ${name}`,
        tags: [{ name: prefix }],
        nodes: [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 }],
        connections: {},
        pinData: { Start: [{ json: { id: 1 } }] },
      });
    await writeFile(file('one'), bare('One'));
    await writeFile(file('three'), bare('Three'));
    await writeFile(file('three-b'), bare('x'.repeat(200)));
    await writeFile(file('zero'), bare('Zero'));
    // Strict validation would have found the long name first.
    const stopped = await push('--validate', 'warn');
    expect(stopped.code).toBe(1);
    expect(stopped.stdout.match(/^\w+(?: \w+)?/gm)).toEqual(['created', 'failed', 'not pushed', 'not pushed']);
    expect(stopped.stderr).toContain('Repeat the command');
    await rm(file('three-b'));
    const repeated = await push('--pinned-data');
    expect(repeated).toMatchObject({ code: 0, stdout: expect.stringMatching(/created +\S+zero\.json/) });
    expect(repeated.stdout).toMatch(/updated +\S+one\.json/);
    const made = (await tagged(home)).filter(({ name }) => /One|Three|Zero/.test(name));
    expect(made).toHaveLength(3);
    for (const { id } of made) {
      expect((await home.workflows.get(id)).pinData).toEqual({ Start: [{ json: { id: 1 } }] });
      await home.workflows.delete(id);
    }
    for (const name of ['one', 'three', 'zero']) await rm(file(name));
    await git('checkout', '-q', '--', 'flows');
  });

  it('archives what was deleted here, and deletes the file of what was deleted there, only if nobody changed it', async () => {
    await rm(file('ping'));
    await rm(file('pong'));
    expect(await push()).toMatchObject({ code: 0, stdout: expect.stringMatching(/deleted here.*\ndeleted here/) });
    expect(await push('--delete')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await push('--delete', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/archived.*\narchived/),
    });
    expect(await tagged(home)).toHaveLength(2);

    await home.workflows.archive(ordersId);
    await edit('orders', (workflow) => {
      workflow.description = 'changed';
    });
    expect(await pull()).toMatchObject({ code: 1, stdout: expect.stringContaining('archived in n8n') });
    await git('checkout', '-q', '--', 'flows');
    await rm(file('ping'));
    await rm(file('pong'));
    await pull();
    expect((await readdir(folder)).sort()).toEqual(['.sluice', `${prefix}-bills.json`]);
    await git('checkout', '-q', '--', 'flows');
    expect(await push('--force')).toMatchObject({ code: 0, stdout: expect.stringContaining('created') });
    expect((await home.workflows.get(ordersId)).isArchived).toBe(false);
  });

  it.each([
    [['pull'], 2, 'an argument is missing'],
    [['pull', 'flows', '--instance', 'other'], 1, 'There is no n8n other'],
    [['push', 'nowhere'], 1, 'does not exist'],
    [['push', 'flows', 'nobody'], 1, 'no workflow and no file "nobody"'],
    [['push', 'flows', '--publish', 'some'], 2, '--publish must be live or all'],
  ])('with %j ends with %i', async (words, code, said) => {
    expect(await place.run(['n8n', ...words])).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });

  it('does not believe that all workflows were deleted if this is another n8n', async () => {
    await cp(join(folder, '.sluice', 'lab.json'), join(folder, '.sluice', 'default.json'));
    expect(await pull()).toMatchObject({ code: 1, stderr: expect.stringContaining('none of the 2 workflows') });
    expect(await readdir(folder)).toContain(`${prefix}-bills.json`);
  });
});
