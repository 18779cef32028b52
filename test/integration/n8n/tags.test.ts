import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tagTools } from '../../../src/n8n/tags/tools.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('tags', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench([...workflowTools, ...tagTools]);
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const create = (name: string) => bench.call<{ id: string }>('n8n_create_tag', { name: bench.name(name) });

  async function workflow(name: string): Promise<string> {
    const made = await bench.call<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: bench.name(name),
      nodes: [],
    });
    return made.workflow.id;
  }

  test('are created, listed, renamed and deleted', async () => {
    const { id } = await create('one');
    await expect(create('one')).rejects.toThrow(/already exists/);
    expect(await bench.call('n8n_list_tags', { name: bench.name('ONE') })).toEqual({
      tags: [{ id, name: bench.name('one') }],
    });
    const renamed = { id, name: bench.name('uno'), was: bench.name('one') };
    expect(await bench.call('n8n_rename_tag', { tag: bench.name('one'), name: bench.name('uno') })).toEqual(renamed);
    const used = await workflow('tagged');
    await bench.call('n8n_set_workflow_tags', { id: used, tags: [bench.name('uno')] });
    expect(await bench.call('n8n_delete_tag', { tag: bench.name('uno') })).toEqual({
      id,
      name: bench.name('uno'),
      workflows: [{ id: used, name: bench.name('tagged') }],
    });
    expect(await bench.call('n8n_list_tags', { name: bench.name('uno') })).toEqual({ tags: [] });
  });

  test('are listed page by page', async () => {
    for (const name of ['p1', 'p2', 'p3']) await create(name);
    interface Page {
      tags: { name: string }[];
      cursor?: string;
    }
    const first = await bench.call<Page>('n8n_list_tags', { name: bench.name('p'), limit: 2 });
    const rest = await bench.call<Page>('n8n_list_tags', { name: bench.name('p'), cursor: first.cursor });
    expect([...first.tags, ...rest.tags].map(({ name }) => name)).toEqual(['p1', 'p2', 'p3'].map(bench.name));
  });

  test('are set on several workflows, replacing or adding to their tags', async () => {
    await create('a');
    const [first, second] = [await workflow('w1'), await workflow('w2')];
    const set = (args: object) => bench.call('n8n_set_workflow_tags', { id: [first, second], ...args });
    await set({ tags: [bench.name('a')] });
    expect(await set({ tags: [bench.name('b')], add: true, create: true })).toMatchObject({
      workflows: [{ before: [bench.name('a')], tags: [bench.name('a'), bench.name('b')] }, { id: second }],
    });
    expect(await set({ tags: [] })).toMatchObject({ workflows: [{ tags: [] }, { tags: [] }] });
  });

  test('that do not exist are created only on request', async () => {
    await create('known');
    const id = await workflow('w3');
    const set = bench.call('n8n_set_workflow_tags', { id, tags: [bench.name('knwon')] });
    await expect(set).rejects.toThrow(`No tag "${bench.name('knwon')}". Did you mean "${bench.name('known')}"?`);
    expect(await bench.call('n8n_list_tags', { name: bench.name('knwon') })).toEqual({ tags: [] });
    const rename = bench.call('n8n_rename_tag', { tag: 'no such tag', name: bench.name('z') });
    await expect(rename).rejects.toThrow(/No tag "no such tag"/);
  });

  test('cannot be renamed to an existing tag', async () => {
    await create('left');
    await create('right');
    const rename = bench.call('n8n_rename_tag', { tag: bench.name('left'), name: bench.name('right') });
    await expect(rename).rejects.toThrow(/Nothing was changed/);
  });
});
