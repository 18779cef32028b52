import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import { withoutCatalogue } from '../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { reachN8n } from '../support/workbench.ts';
import { createPlace, type Place } from '../support/command-line.ts';

describe.skipIf(n8nIsMissing)('sluice backup', () => {
  let place: Place;
  let client: N8nClient;
  let id: string;
  const name = `cli-backup-${Math.random().toString(36).slice(2, 8)}`;
  const body = {
    name,
    nodes: [
      {
        id: 'a',
        name: 'A',
        type: 'n8n-nodes-base.noOp',
        typeVersion: 1,
        position: [0, 0] as [number, number],
        parameters: {},
      },
    ],
    connections: {},
    settings: { executionOrder: 'v1' },
  };

  beforeAll(async () => {
    const { url, apiKey } = await reachN8n();
    place = await createPlace({
      n8n: { default: { url, apiKey } },
      nodes: withoutCatalogue,
      backups: { directory: 'repo', layout: 'git' },
    });
    client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    id = (await client.workflows.create(body)).id;
  }, N8N_START_MS);

  afterAll(async () => {
    await client.workflows.delete(id).catch(() => {});
    await place[Symbol.asyncDispose]();
  });

  it('backs up a workflow, shows what changed, and restores it after a change and after its deletion', async () => {
    await using _gateway = await place.serve();
    const made = await place.run(['backup', 'create', id]);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`default/${id}/`) });
    const backup = made.stdout.trim();
    expect(await place.run(['backup', 'diff', backup])).toMatchObject({ code: 0, stdout: '' });

    await client.workflows.update(id, { ...body, nodes: [] }, false);
    expect(await place.run(['backup', 'diff', id])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('- node "A"'),
    });
    expect(await place.run(['backup', 'restore', backup])).toMatchObject({ code: 0, stdout: `${id}\n` });
    expect((await client.workflows.get(id)).nodes).toHaveLength(1);

    await client.workflows.delete(id);
    const restored = await place.run(['backup', 'restore', backup, '--json']);
    expect(JSON.parse(restored.stdout)).toMatchObject({ restored: 'brought back', workflow: { id, name } });

    const listed = await place.run(['backup', 'list', '--name', name, '--json']);
    expect((JSON.parse(listed.stdout) as { reason: string }[]).map(({ reason }) => reason)).toEqual([
      'restore',
      'asked',
    ]);
  });

  it('backs up the whole n8n without a gateway running, with a file for git', async () => {
    const made = await place.run(['backup', 'create']);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^default\/@instance\//) });
    expect(made.stderr).toContain('credentials without their values');
    const whole = await place.run(['backup', 'list', '--whole']);
    expect(whole.stdout).toContain(made.stdout.trim());
    const file = join(place.project, 'repo', 'default', 'workflows', `${id}.json`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ id, name });
  });

  it('refuses a truncated backup, and does not touch the workflow', async () => {
    const [backup] = (await place.run(['backup', 'create', id])).stdout.trim().split('\n');
    await client.workflows.update(id, { ...body, nodes: [] }, false);
    await truncate(join(place.home, 'backups', `${backup}.json`), 400);
    const refused = await place.run(['backup', 'restore', backup as string]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot use the backup') });
    expect((await client.workflows.get(id)).nodes).toHaveLength(0);
    expect((await readdir(join(place.home, 'backups', 'default', id))).length).toBeGreaterThan(0);
  });

  it.each([
    [['restore', 'nothing-of-that-name'], 1, 'No backup of workflow'],
    [['restore', 'a/b/c'], 1, 'not a backup id'],
    [['restore'], 2, 'an argument is missing'],
    [['undo'], 2, 'say create, list, restore, diff, copy or prune'],
    [['list', '--limit', 'x'], 2, '--limit'],
    [['create', '--instance', 'other'], 1, 'There is no n8n other'],
  ])('with %j ends with %i', async (words, code, said) => {
    expect(await place.run(['backup', ...words])).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });

  it('says how to connect an n8n if there is none', async () => {
    await using bare = await createPlace({});
    expect(await bare.run(['backup', 'list'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('sluice n8n up'),
    });
  });
});
