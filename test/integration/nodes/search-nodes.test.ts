import { describe, expect, test } from 'vitest';
import { searchNodes } from '../../../src/nodes/tools/search-nodes.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { caller, replyBytes } from '../../support/node-tools.ts';

interface Answer {
  nodes: { name: string; title: string; type: string; subtype: string; description: string; score: number }[];
  total: number;
  how: string;
  hint?: string;
  cursor?: string;
}

describe.skipIf(catalogueIsMissing)('search_nodes', () => {
  const search = (args: Record<string, unknown>) => caller(testCatalogue())<Answer>(searchNodes, args);

  test('answers with the best match first, with name, type and subtype', async () => {
    const { nodes, how, total } = await search({ query: 'send a message to a Slack channel' });
    expect(nodes[0]).toMatchObject({
      name: 'n8n-nodes-base.slack',
      title: 'Slack',
      type: 'EXTERNAL_ACTION',
      subtype: 'SLACK',
    });
    expect(how).toBe('lexical');
    expect(nodes.length).toBeLessThanOrEqual(10);
    expect(total).toBeGreaterThan(nodes.length);
  });

  test.each(['send a message', 'create or update a row', 'new', 'get many items of a list', 'ai model'])(
    'a reply stays under 8 KB by default: %s',
    async (query) => {
      await search({ query });
      expect(replyBytes()).toBeLessThan(8 * 1024);
    },
  );

  test('the cursor leads through all hits', async () => {
    const names: string[] = [];
    let total = 0;
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      const answer = await search({ query: 'kafka topic', limit: 3, ...(cursor !== undefined && { cursor }) });
      names.push(...answer.nodes.map(({ name }) => name));
      total = answer.total;
      cursor = answer.cursor;
    }
    expect(names).toHaveLength(total);
    expect(new Set(names).size).toBe(total);
  });

  test('a cursor of another question is refused', async () => {
    const { cursor } = await search({ query: 'send a message', limit: 1 });
    await expect(search({ query: 'send a mail', limit: 1, cursor })).rejects.toThrow(/other/);
    await expect(search({ query: 'send a mail', cursor: 'nonsense' })).rejects.toThrow(/cursor/);
  });

  test('no match gives a hint', async () => {
    expect(await search({ query: '🙂' })).toMatchObject({
      nodes: [],
      total: 0,
      hint: expect.stringMatching(/get_node_types/),
    });
  });

  test('type_filter and include_tools work', async () => {
    const triggers = await search({ query: 'slack', type_filter: 'TRIGGER' });
    expect(triggers.nodes.every(({ type }) => type === 'TRIGGER')).toBe(true);
    expect(await search({ query: 'slack', type_filter: 'trigger_node' })).toEqual(triggers);
    const tools = await search({ query: 'slack', include_tools: true });
    expect(tools.nodes.map(({ name }) => name)).toContain('n8n-nodes-base.slackTool');
  });

  test.each([
    { query: 'x', limit: 0 },
    { query: 'x', limit: 101 },
    { query: 'x', type_filter: 'NONE' },
    {},
    { query: 5 },
  ])('refuses %j', async (args) => {
    await expect(search(args)).rejects.toThrow(/query|limit|type_filter/);
  });
});
