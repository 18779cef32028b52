import { expect } from 'vitest';
import type { Task } from '../task.ts';

const nodes = [
  'scheduleTrigger',
  'webhook',
  'httpRequest',
  'set',
  'if',
  'googleSheets',
  'slack',
  'postgres',
  'code',
  '@n8n/n8n-nodes-langchain.agent',
];

interface Detail {
  warning?: string;
  guidance?: string;
  n8n: { type: string; fragment?: { nodes: unknown[] } };
}

/** "How is this node set up?" */
export const details: Task = {
  name: 'Learn how ten nodes are set up',
  most: { calls: 13, kilobytes: 60 },
  async run(assistant) {
    for (const node of nodes) {
      const { data } = await assistant.use<{ nodes: Detail[] }>('get_node_details', { nodes: [node] });
      const [one] = data.nodes;
      expect(one?.n8n.type).toContain(node);
      expect(one?.n8n.fragment?.nodes.length).toBeGreaterThan(0);
      expect(one?.warning).toBeUndefined();
    }
    const cron = await assistant.use<{ parameters: { path: string }[] }>('get_node_property', {
      node: 'scheduleTrigger',
      query: 'rule.interval[].expression',
    });
    expect(cron.data.parameters[0]?.path).toBe('rule.interval[].expression');
    const append = await assistant.use<{ nodes: Detail[] }>('get_node_details', {
      nodes: ['googleSheets'],
      operation: 'append',
    });
    expect(JSON.stringify(append.data.nodes[0]?.n8n.fragment)).toContain('"mappingMode":"autoMapInputData"');
    const types = await assistant.use('get_node_types', {});
    expect(types.text).toContain('SLACK');
  },
};
