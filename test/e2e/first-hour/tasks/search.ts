import { expect } from 'vitest';
import type { Task } from '../task.ts';

/** "Who uses this, and what breaks if I change it?" */
export const search: Task = {
  name: 'Find who calls what, and what depends on it',
  most: { calls: 6, kilobytes: 16 },
  async run(assistant, { prefix, service }) {
    const part = await assistant.call<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: `${prefix} part`,
      publish: true,
      nodes: [
        {
          name: 'Called',
          type: 'n8n-nodes-base.executeWorkflowTrigger',
          parameters: { inputSource: 'passthrough' },
        },
        { name: 'Call', type: 'n8n-nodes-base.httpRequest', parameters: { url: `${service}/new?${prefix}` } },
      ],
      connections: { Called: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
    });
    const { id } = part.workflow;
    const whole = await assistant.call<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: `${prefix} whole`,
      nodes: [
        { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
        {
          name: 'Run part',
          type: 'n8n-nodes-base.executeWorkflow',
          parameters: { workflowId: { __rl: true, mode: 'id', value: id } },
        },
      ],
      connections: { Start: { main: [[{ node: 'Run part', type: 'main', index: 0 }]] } },
    });
    const callers = await assistant.read('n8n_search_workflows', { url: `${service}/new?${prefix}` });
    expect(callers).toMatchObject({ found: 1, workflows: [{ id, hits: [{ node: 'Call' }] }] });
    const breaks = await assistant.read('n8n_get_dependencies', { id });
    expect(breaks).toMatchObject({ used_by: [{ id: whole.workflow.id, node: 'Run part' }] });
    const named = await assistant.read('n8n_list_workflows', { name: `${prefix} whole` });
    expect(JSON.stringify(named)).toContain(whole.workflow.id);
  },
};
