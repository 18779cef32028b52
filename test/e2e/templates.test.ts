import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient } from '../../src/n8n/client/client.ts';
import { sharedCache, withoutCatalogue } from '../support/catalogue.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { syntheticTemplates } from '../support/synthetic-templates.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { startTemplateService, type TemplateService } from '../support/template-service.ts';
import { reachN8n } from '../support/workbench.ts';

describe('sluice templates', () => {
  let place: Place;
  let service: TemplateService;
  const env = () => ({ SLUICE_CACHE: join(place.home, 'cache') });
  const run = (...words: string[]) => place.run(['templates', ...words], { env: env() });

  beforeAll(async () => {
    service = await startTemplateService(syntheticTemplates(120));
    place = await createPlace({
      nodes: withoutCatalogue,
      templates: { url: service.url, libraries: { team: 'flows' } },
    });
    await mkdir(join(place.project, 'flows'));
    const nodes = [
      { name: 'Go', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    ];
    const lunch = { name: 'Lunch\u001b[31m menu', description: 'Tells the menu', nodes, connections: {} };
    await writeFile(join(place.project, 'flows', 'lunch.json'), JSON.stringify(lunch));
  });

  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });

  it('finds, shows and syncs templates without an n8n, and works offline then', async () => {
    await using _gateway = await place.serve(env());
    const found = await run('search', 'unpaid invoices', '--limit', '3', '--json');
    expect(found.code).toBe(0);
    const { templates } = JSON.parse(found.stdout) as { templates: { id: string; name: string }[] };
    expect(templates).toHaveLength(3);
    expect(templates[0]?.name).toMatch(/invoices/i);

    const shown = await run('show', templates[0]?.id ?? '');
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/invoices[\s\S]*Nodes[\s\S]*Notes/i) });
    const full = await run('show', templates[0]?.id ?? '', '--detail', 'full');
    expect(JSON.parse(full.stdout)).toMatchObject({ nodes: expect.any(Array), connections: expect.any(Object) });

    service.behave('away');
    const kept = await run('search', 'reminders for invoices');
    expect(kept.stderr).toMatch(/Only what was read before[\s\S]*The public library was read on \d{4}-\d\d-\d\d\./);
    service.behave(undefined);

    const synced = await run('sync');
    expect(synced).toMatchObject({ code: 0, stderr: expect.stringContaining('120 of 120 templates') });
    service.behave('away');
    const offline = await run('search', 'server alerts', '--nodes', 'slack');
    expect(offline).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ID +VIEWS +FITS +TEMPLATE\n\d+ .*alerts to/im),
    });
    service.behave(undefined);

    const own = await run('search', '--library', 'team');
    expect(own.stdout).toMatch(/team\/lunch +- +- +Lunch menu \(manualTrigger\)/);
    expect(await run('search', 'menu', '--library', 'teem')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean team?'),
    });
    expect(await run('show', 'team/lunch')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Tells the menu'),
    });
  });

  it.each([
    [['show', '99999999'], 1, 'has no template 99999999'],
    [['show', '1', '--detail', 'half'], 2, '--detail must be summary, structure or full'],
    [['search', '--limit', '0'], 2, '--limit must be'],
    [['import', '1', '--credential', 'slackApi'], 2, '--credential must be TYPE=NAME'],
    [['import', '1', '--sub-workflow', '=a'], 2, '--sub-workflow must be NAME=ID'],
    [['import', '1', '--missing-nodes', 'yes'], 2, '--missing-nodes must be refuse or import'],
    [['import', '1000'], 3, 'sluice n8n up'],
    [['import', './flows/lunch.json', '--dry-run', '--validate', 'warn'], 3, 'sluice n8n up'],
    [['import', './flows/none.json'], 2, 'does not exist'],
    [['find'], 2, 'say search, show, import or sync'],
  ])('with %j ends with %i', async (words, code, said) => {
    expect(await run(...words)).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });
});

describe.skipIf(n8nIsMissing)('sluice templates import', () => {
  const name = `cli-import-${Math.random().toString(36).slice(2, 8)}`;

  it('imports a file, after a dry run', { timeout: N8N_START_MS }, async () => {
    const { url, apiKey } = await reachN8n();
    const client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    const named = async () => (await Array.fromAsync(client.workflows.all({ name }))).map(({ id }) => id);
    await using place = await createPlace({ n8n: { default: { url, apiKey } } });
    const nodes = [
      { name: 'Go', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
      { name: 'Gone', type: 'n8n-nodes-base.noSuchNode', typeVersion: 1, position: [200, 0], parameters: {} },
    ];
    await writeFile(join(place.project, 'flow.json'), JSON.stringify({ name, nodes, connections: {} }));
    await using _gateway = await place.serve(sharedCache);
    const run = (...words: string[]) => place.run(['templates', 'import', 'flow.json', ...words], { env: sharedCache });

    const dry = await run('--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('nothing was imported') });
    expect(dry.stderr).toContain('noSuchNode');
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('noSuchNode') });
    expect(await named()).toEqual([]);

    const done = await run('--missing-nodes', 'import', '--validate', 'off');
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining(`"${name}" is a draft in n8n.`) });
    const ids = await named();
    for (const id of ids) await client.workflows.delete(id);
    expect(ids).toEqual([done.stdout.trim()]);
  });
});
