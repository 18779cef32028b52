import { describe, expect, test } from 'vitest';
import { callTool } from '../../../src/kernel/call.ts';
import type { CallContext, Json } from '../../../src/kernel/source.ts';
import { createInstances } from '../../../src/n8n/instances.ts';
import { listNodeTypes } from '../../../src/n8n/nodes/list-node-types.ts';
import type { N8nDeps } from '../../../src/n8n/tool.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';

interface Listed {
  total: number;
  node_types: { name: string; type: string; usable_as_tool?: boolean; description: string }[];
  n8n: string;
  cursor?: string;
}

describe.skipIf(catalogueIsMissing)('n8n_list_node_types', () => {
  const catalogue = catalogueIsMissing === undefined ? testCatalogue() : (undefined as never);
  const deps = {
    instances: createInstances({ default: { url: 'http://127.0.0.1:9', apiKey: 'none', timeoutMs: 1000 } }),
    catalogues: { state: () => ({ state: 'ready', catalogue }), get: () => catalogue, ready: async () => catalogue },
  } as Partial<N8nDeps> as N8nDeps;
  const call = callTool(listNodeTypes, deps);
  let bytes = 0;

  async function list(args: Json = {}): Promise<Listed> {
    const outcome = await call({ name: listNodeTypes.name, arguments: args }, {} as CallContext);
    if ('error' in outcome) throw new Error(outcome.error.message);
    bytes = Buffer.byteLength(JSON.stringify(outcome.result));
    return outcome.result.structuredContent as Listed;
  }

  test('a cursor leads through every node, in replies below 8 KB', async () => {
    const names: string[] = [];
    let page = await list();
    for (;;) {
      expect(bytes).toBeLessThan(8192);
      names.push(...page.node_types.map(({ name }) => name));
      if (page.cursor === undefined) break;
      page = await list({ cursor: page.cursor });
    }
    expect(names).toEqual(catalogue.nodes().map(({ name }) => name));
    expect(page).toMatchObject({ total: names.length, n8n: catalogue.origin.n8n });
  });

  test('filters can be combined', async () => {
    const { node_types } = await list({ search: 'google SHEETS', type: 'TRIGGER' });
    expect(node_types.map(({ name }) => name)).toEqual(['n8n-nodes-base.googleSheetsTrigger']);
    const { node_types: own } = await list({ package: '@n8n/n8n-nodes-langchain', limit: 3 });
    expect(own).toHaveLength(3);
    for (const { name } of own) expect(name).toMatch(/^@n8n\/n8n-nodes-langchain\./);
    const { node_types: tools } = await list({ usable_as_tool: true, search: 'calculator' });
    expect(tools.map(({ type }) => type)).toEqual(['TOOL']);
    expect(await list({ search: '__proto__' })).toMatchObject({ total: 0, node_types: [] });
  });

  test('a cursor of other filters and an unknown n8n are refused', async () => {
    const { cursor } = await list({ type: 'TRIGGER' });
    await expect(list({ type: 'FLOW', cursor })).rejects.toThrow(/other filters/);
    await expect(list({ instance: 'nowhere' })).rejects.toThrow(/no n8n nowhere/);
  });
});
