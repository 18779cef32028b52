import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeTools } from '../../../src/n8n/nodes/tools.ts';
import type { AskedNodes } from '../../../src/nodes/asked/asked.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';

interface Analytics {
  asked: { node: string; title: string; times: number; last: string }[];
  used: { node: string; title: string; workflows: number; nodes_count: number; live: number }[];
  asked_not_used?: string[];
  used_not_asked?: string[];
  since: string;
  note?: string;
}

const DAY = 86_400_000;
const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('node analytics', () => {
  let bench: Workbench;
  const asked: Pick<AskedNodes, 'note' | 'since'> & { from?: number } = {
    note() {},
    async since(time) {
      asked.from = time;
      return {
        asked: [
          { node: 'n8n-nodes-base.graphql', times: 7, last: Date.UTC(2026, 0, 2) },
          { node: 'n8n-nodes-base.xml', times: 2, last: Date.UTC(2026, 0, 1) },
        ],
        first: 0,
      };
    },
  };

  beforeAll(async () => {
    bench = await openWorkbench(nodeTools, undefined, {}, { asked });
    await make(
      bench,
      'live',
      line(hook(bench.name('analytics')), node('To XML', 'xml', 1, { mode: 'jsonToxml' }), set('End', '{}')),
    );
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  test('compares what is asked about with what is used', async () => {
    const found = await bench.call<Analytics>('n8n_get_node_analytics', { days: 7, limit: 100 });
    expect(found.asked).toEqual([
      { node: 'n8n-nodes-base.graphql', title: 'GraphQL', times: 7, last: '2026-01-02T00:00:00.000Z' },
      { node: 'n8n-nodes-base.xml', title: 'XML', times: 2, last: '2026-01-01T00:00:00.000Z' },
    ]);
    const xml = found.used.find((one) => one.node === 'n8n-nodes-base.xml');
    expect(xml).toMatchObject({ title: 'XML' });
    expect(Math.min(xml?.workflows ?? 0, xml?.nodes_count ?? 0, xml?.live ?? 0)).toBeGreaterThan(0);
    expect(found.asked_not_used).toEqual(['n8n-nodes-base.graphql']);
    expect(found.used_not_asked).toContain('n8n-nodes-base.webhook');
    expect(found.used_not_asked).not.toContain('n8n-nodes-base.xml');
    const today = Math.floor(Date.now() / DAY) * DAY;
    expect(asked.from).toBe(today - 6 * DAY);
    expect(found.since).toBe(new Date(today - 6 * DAY).toISOString().slice(0, 10));
  });

  test('stays short however long the types of nodes are', async () => {
    const nodes = Array.from({ length: 15 }, (_, at) => node(`Node ${at}`, `n8n-nodes-${'x'.repeat(900)}.y${at}`, 1));
    await make(bench, 'long', line(...nodes), { publish: false });
    const found = await bench.call('n8n_get_node_analytics', { limit: 100 });
    expect(Buffer.byteLength(JSON.stringify(found)) * 2).toBeLessThan(8 * 1024);
    expect(found.used).not.toEqual([]);
  });
});
