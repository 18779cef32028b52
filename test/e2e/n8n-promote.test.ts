import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import { withoutCatalogue } from '../support/catalogue.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../support/n8n.ts';
import { line, node } from '../support/workflows.ts';

type Address = Pick<TestN8n, 'url' | 'apiKey'>;

describe.skipIf(n8nIsMissing)('sluice n8n promote and compare', () => {
  let place: Place;
  let source: N8nClient;
  let target: N8nClient;
  const prefix = `cli-promote-${Math.random().toString(36).slice(2, 8)}`;

  beforeAll(async () => {
    const [here, there] = await Promise.all([startN8n(), startN8n({ database: 'postgres' })]);
    const [first, second] = [here, there].map(({ url, apiKey }) => ({ url, apiKey })) as [Address, Address];
    place = await createPlace({
      n8n: { default: first, production: second },
      nodes: withoutCatalogue,
      validation: { onSave: 'off' },
    });
    source = createN8nClient('default', { ...first, timeoutMs: 30_000 });
    target = createN8nClient('production', { ...second, timeoutMs: 30_000 });
    const key = (client: N8nClient, name: string) =>
      client.credentials.create({ name, type: 'httpHeaderAuth', data: { name: 'X', value: 'y' } });
    const [credential, shared] = [await key(source, `${prefix}-key`), await key(source, `${prefix}-shared`)];
    await key(target, `${prefix}-shared`);
    const ask = (name: string, held: { id: string; name: string }) => ({
      ...node(name, 'httpRequest', 4.2, { url: 'http://127.0.0.1:9/', options: {} }),
      credentials: { httpHeaderAuth: { id: held.id, name: held.name } },
    });
    const body = line(node('Go', 'manualTrigger', 1), ask('Ask', credential), ask('Ask again', shared));
    const { id } = await source.workflows.create({ name: prefix, ...body, settings: {} });
    const tag = await source.tags.create(prefix.slice(0, 24));
    await source.workflows.setTags(id, [tag.id]);
  }, N8N_START_MS);

  afterAll(async () => {
    for (const client of [source, target]) {
      for await (const one of client.workflows.all({ name: prefix })) await client.workflows.delete(one.id);
      for await (const one of client.credentials.all()) {
        if (one.name.startsWith(prefix)) await client.credentials.delete(one.id);
      }
      for await (const one of client.tags.all()) if (prefix.startsWith(one.name)) await client.tags.delete(one.id);
    }
    await place[Symbol.asyncDispose]();
  });

  const between = ['--from', 'default', '--to', 'production'];

  it('shows the plan, promotes, keeps a mapping file, compares and undoes', async () => {
    await using _gateway = await place.serve();
    const blocked = await place.run(['n8n', 'promote', prefix, ...between]);
    expect(blocked).toMatchObject({ code: 1, stdout: expect.stringContaining(`missing credential "${prefix}-key"`) });

    const wanted = ['n8n', 'promote', prefix, ...between, '--create-credentials', '--mapping', 'map.yaml'];
    const dry = await place.run([...wanted, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`create "${prefix}"`) });
    expect(dry.stderr).toContain('There is no map.yaml yet');
    expect(await place.run(wanted)).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --yes') });
    expect(await place.run(['n8n', 'compare', prefix, ...between])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`< workflow "${prefix}"`),
    });

    const done = await place.run([...wanted, '--yes']);
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('Fill in the credential') });
    expect(await readFile(join(place.project, 'map.yaml'), 'utf8')).toContain(`name: ${prefix}-shared`);
    expect(await place.run(['n8n', 'compare', prefix, ...between])).toMatchObject({ code: 0, stdout: '' });
    const again = await place.run([...wanted, '--yes', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ state: 'nothing to do' });

    const undone = await place.run(['n8n', 'promote', '--undo', '--to', 'production', '--yes']);
    expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining('is undone') });
    expect(await Array.fromAsync(target.workflows.all({ name: prefix }))).toEqual([]);

    // The file does not name what the undo deleted.
    expect(await place.run([...wanted, '--yes'])).toMatchObject({ code: 0 });
    const unwritable = [...wanted.slice(0, -1), 'gone/map.yaml', '--overwrite', '--update-dependencies', '--yes'];
    await place.run(['n8n', 'promote', '--undo', '--to', 'production', '--yes']);
    const failed = await place.run(unwritable);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('gone/map.yaml') });
    expect(failed.stderr).toMatch(/Created 1, updated 0[^]*Fill in the credential/);
  });

  it.each([
    [['promote', 'x', '--from', 'default'], 2, '--to'],
    [['promote', ...between], 2, 'name workflows'],
    [['promote', 'x', '--undo', '--to', 'production', '--yes'], 2, 'takes no workflows'],
    [['promote', '--undo', '--to', 'production', '--yes', '--dry-run'], 2, 'takes no --dry-run'],
    [['compare', '--from', 'default'], 2, '--from and --to'],
    [['promote', 'x', '--from', 'moon', '--to', 'default'], 1, 'moon'],
  ])('with %j ends with %i', async (words, code, said) => {
    expect(await place.run(['n8n', ...words])).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });
});
