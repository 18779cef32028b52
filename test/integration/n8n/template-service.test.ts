/** What Sluice relies on, on the stand-in and, with TEST_TEMPLATES_URL, on n8n's own service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, PAGE_ROWS, type Service } from '../../../src/n8n/templates/public/service.ts';
import { syntheticTemplates } from '../../support/synthetic-templates.ts';
import { startTemplateService, type TemplateService } from '../../support/template-service.ts';

const { TEST_TEMPLATES_URL } = process.env;

describe('the template service', () => {
  let standIn: TemplateService | undefined;
  let service: Service;
  const { signal } = new AbortController();

  beforeAll(async () => {
    if (TEST_TEMPLATES_URL === undefined) standIn = await startTemplateService(syntheticTemplates(250));
    service = createService(TEST_TEMPLATES_URL ?? standIn?.url ?? '');
  });
  afterAll(() => standIn?.[Symbol.asyncDispose]());

  test('lists the most viewed templates in pages of a hundred', async () => {
    const first = await service.search({ page: 1, rows: PAGE_ROWS, byViews: true }, signal);
    const second = await service.search({ page: 2, rows: PAGE_ROWS, byViews: true }, signal);
    expect(first.templates).toHaveLength(PAGE_ROWS);
    expect(first.total).toBeGreaterThan(200);
    const ids = [...first.templates, ...second.templates].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const views = first.templates.map(({ views: seen = 0 }) => seen);
    expect(views).toEqual(views.toSorted((one, other) => other - one));
    expect(first.templates[0]).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      name: expect.any(String),
      description: expect.any(String),
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      nodes: expect.arrayContaining([expect.stringMatching(/^(@n8n\/)?n8n-nodes-[\w-]+\.\w+$/)]),
      library: 'public',
    });
  });

  test('filters by words, by type of node and by category', async () => {
    const whole = await service.search({ page: 1, rows: 10 }, signal);
    const worded = await service.search({ page: 1, rows: 10, search: 'slack' }, signal);
    expect(worded.total).toBeGreaterThan(0);
    expect(worded.total).toBeLessThan(whole.total);
    const typed = await service.search({ page: 1, rows: 10, nodes: ['n8n-nodes-base.slack'] }, signal);
    expect(typed.templates.length).toBeGreaterThan(0);
    for (const { nodes } of typed.templates) expect(nodes).toContain('n8n-nodes-base.slack');
    const [category = ''] = await service.categories(signal);
    const some = await service.search({ page: 1, rows: 10, category }, signal);
    expect(some.total).toBeGreaterThan(0);
    expect(some.total).toBeLessThan(whole.total);
  });

  test('gives a template with its workflow, and says if there is none', async () => {
    const { templates } = await service.search({ page: 1, rows: 5 }, signal);
    const free = templates.find(({ paid }) => !paid);
    const template = await service.template(free?.id ?? '', signal);
    expect(template).toMatchObject({ id: free?.id, name: free?.name });
    expect(template.categories?.length).toBeGreaterThan(0);
    expect(template.workflow.nodes.length).toBeGreaterThan(0);
    expect(Object.keys(template.workflow.connections).length).toBeGreaterThan(0);
    await expect(service.template('999999999', signal)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('refuses pages of more than a hundred', async () => {
    await expect(service.search({ page: 1, rows: PAGE_ROWS + 1 }, signal)).rejects.toMatchObject({
      code: 'unsupported',
    });
  });
});
