import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutCatalogue } from '../support/catalogue.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { syntheticTemplates } from '../support/synthetic-templates.ts';
import { startTemplateService, type TemplateService } from '../support/template-service.ts';

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
    [['import', '1000'], 3, 'sluice n8n up'],
    [['find'], 2, 'say search, show, import or sync'],
  ])('with %j ends with %i', async (words, code, said) => {
    expect(await run(...words)).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });
});
