import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeTools } from '../../../src/n8n/nodes/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Usage {
  searched: number;
  total: number;
  types: {
    type: string;
    workflows: number;
    live: number;
    nodes: number;
    versions: { version: number; nodes: number }[];
  }[];
  workflows?: {
    id: string;
    active: boolean;
    uses: { type: string; version: number; count: number; nodes: string[] }[];
  }[];
  others?: string[];
  cursor?: string;
}

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('which workflows use a node', () => {
  let bench: Workbench;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    bench = await openWorkbench(nodeTools);
    const live = await make(
      bench,
      'live',
      line(hook(bench.name('usage')), node('To XML', 'xml', 1, { mode: 'jsonToxml' }), set('End', '{}')),
    );
    const draft = await make(
      bench,
      'draft',
      line(
        node('Go', 'manualTrigger', 1),
        node('One', 'set', 3.3),
        node('Two', 'xml', 1, {}, { disabled: true }),
        node('Three', 'set', 3.4),
        node('Four', 'xml', 1),
      ),
      { publish: false },
    );
    Object.assign(ids, { live: live.id, draft: draft.id });
  }, N8N_START_MS);

  afterAll(() => bench?.[Symbol.asyncDispose]());

  const usage = (args: Record<string, unknown>) => bench.call<Usage>('n8n_find_node_usage', args);
  const mine = ({ workflows = [] }: Usage, id: string | undefined) => workflows.find((one) => one.id === id);

  test('says in which workflows, how often, in which version, and whether they are live', async () => {
    const found = await usage({ node: 'n8n-nodes-base.xml', limit: 200 });
    expect(mine(found, ids.live)).toMatchObject({ active: true, uses: [{ version: 1, count: 1, nodes: ['To XML'] }] });
    expect(mine(found, ids.draft)).toMatchObject({
      active: false,
      uses: [{ type: 'n8n-nodes-base.xml', version: 1, count: 2, nodes: ['Two', 'Four'], disabled: 1 }],
    });
    expect(found.types.map(({ type }) => type)).toEqual(['n8n-nodes-base.xml']);
    expect(found.workflows?.findIndex(({ active }) => !active)).toBeGreaterThan(
      found.workflows?.findIndex(({ id }) => id === ids.live) as number,
    );
  });

  test('a full name matches only that node, a part of a name matches all that contain it', async () => {
    const whole = await usage({ node: 'set', limit: 200 });
    expect(whole.types.map(({ type }) => type)).toEqual(['n8n-nodes-base.set']);
    expect(mine(whole, ids.draft)?.uses.map(({ version }) => version)).toEqual([3.3, 3.4]);
    const part = await usage({ node: 'manualTrig', limit: 200 });
    expect(mine(part, ids.draft)?.uses).toMatchObject([{ type: 'n8n-nodes-base.manualTrigger', nodes: ['Go'] }]);
  });

  test('without a node it lists the types in use, with a cursor to the next page', async () => {
    const first = await usage({ limit: 2 });
    expect(first.types).toHaveLength(2);
    expect(first.total).toBeGreaterThan(2);
    // Other suites share this n8n: a workflow that comes between the two pages may move a type to the second.
    await expect
      .poll(async () => {
        const [before] = (await usage({ limit: 2 })).types;
        const { cursor } = await usage({ limit: 2 });
        const second = await usage({ limit: 2, cursor });
        return second.types.some(({ type }) => type === before?.type);
      })
      .toBe(false);
    await expect(usage({ node: 'set', cursor: first.cursor })).rejects.toThrow(/cursor/);
  });

  test('an unused node is an error that names similar ones', async () => {
    await expect(usage({ node: 'manualTriger' })).rejects.toThrow(/These are in use: manualTrigger.*search_nodes/);
    await expect(usage({ node: '__proto__' })).rejects.toThrow(/No workflow uses a node __proto__/);
  });
});
