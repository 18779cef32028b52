import { expect } from 'vitest';
import type { Json } from '../../../integration/harness.ts';
import type { Task } from '../task.ts';

interface Fragment {
  nodes: { name: string; parameters: Json }[];
  connections: Json;
}

/** "Every working day at nine, fetch the orders and tell the team in Slack if there are any." */
export const buildFromWords: Task = {
  name: 'Build a workflow from words',
  most: { calls: 7, kilobytes: 40 },
  async run(assistant, { prefix }) {
    const found = [];
    for (const query of [
      'every weekday at 9',
      'call an HTTP API',
      'branch depending on a condition',
      'post to Slack',
    ]) {
      const { data } = await assistant.use<{ nodes: { name: string }[] }>('search_nodes', { query, limit: 3 });
      found.push(data.nodes[0]?.name ?? '');
    }
    expect(found).toEqual([
      'n8n-nodes-base.scheduleTrigger',
      'n8n-nodes-base.httpRequest',
      'n8n-nodes-base.if',
      'n8n-nodes-base.slack',
    ]);
    const { data } = await assistant.use<{ nodes: { n8n: { fragment: Fragment } }[] }>('get_node_details', {
      nodes: found,
    });
    const nodes = data.nodes.flatMap(({ n8n }) => n8n.fragment.nodes);
    const names = nodes.map(({ name }) => name);
    const connections = Object.fromEntries(
      names.slice(0, -1).map((name, at) => [name, { main: [[{ node: names[at + 1], type: 'main', index: 0 }]] }]),
    );
    const workflow = { name: `${prefix} words`, nodes, connections };
    const checked = await assistant.read<{ valid: boolean }>('n8n_validate_workflow', { workflow });
    expect(checked.valid).toBe(true);
    const made = await assistant.call<{ workflow: { id: string } }>('n8n_create_workflow', workflow);
    expect(made.workflow.id).not.toBe('');
  },
};
