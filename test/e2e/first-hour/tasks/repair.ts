import { expect } from 'vitest';
import type { Task } from '../task.ts';

/** "Why did it fail, and can you repair it?" */
export const repair: Task = {
  name: 'Find out why it failed, repair it, retry',
  most: { calls: 8, kilobytes: 20 },
  async run(assistant, { prefix, service }) {
    const made = await assistant.call<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: `${prefix} rates`,
      publish: true,
      nodes: [
        {
          name: 'Ask',
          type: 'n8n-nodes-base.webhook',
          parameters: { path: `${prefix}-rates`, httpMethod: 'POST', responseMode: 'lastNode' },
        },
        { name: 'Rate', type: 'n8n-nodes-base.httpRequest', parameters: { url: `${service}/old` } },
      ],
      connections: { Ask: { main: [[{ node: 'Rate', type: 'main', index: 0 }]] } },
    });
    const { id } = made.workflow;
    const failed = await assistant.call<{ execution: string }>('n8n_execute_workflow', { id, data: {} });
    expect(failed).toMatchObject({ status: 'error', error: { node: 'Rate', http_status: '404' } });
    const failures = await assistant.read('n8n_list_failures', { workflow: id });
    expect(failures).toMatchObject({ groups: [{ node: 'Rate', count: 1 }] });
    const why = await assistant.read('n8n_get_execution', { id: failed.execution });
    expect(JSON.stringify(why)).toContain('moved to /new');
    await assistant.call('n8n_edit_workflow', {
      id,
      operations: [{ op: 'set_parameter', node: 'Rate', path: 'url', value: `${service}/new` }],
      publish: true,
    });
    const again = await assistant.call('n8n_retry_execution', { id: failed.execution });
    expect(again).toMatchObject({ status: 'success' });
    const live = await assistant.call('n8n_trigger_webhook', { id, body: {} });
    expect(live).toMatchObject({ status: 200, body: { ok: true } });
  },
};
