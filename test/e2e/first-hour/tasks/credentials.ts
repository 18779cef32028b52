import { expect } from 'vitest';
import type { Task } from '../task.ts';

/** "Put this key into n8n, use it, and clean up." */
export const credentials: Task = {
  name: 'Make, use and delete a credential',
  most: { calls: 9, kilobytes: 12 },
  async run(assistant, { prefix, service }) {
    await assistant.read('n8n_get_credential_schema', { type: 'httpHeaderAuth' });
    const wrong = { name: `${prefix} key`, type: 'httpHeaderAuth', data: { key: 'X-Key', value: 'tour-canary' } };
    const refusal = await assistant.refused('n8n_call', { tool: 'n8n_create_credential', params: wrong });
    expect(refusal).not.toContain('tour-canary');
    const made = await assistant.call<{ credential: { id: string } }>('n8n_create_credential', {
      ...wrong,
      data: { name: 'X-Key', value: 'tour-canary' },
    });
    const { id } = made.credential;
    const used = await assistant.call<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: `${prefix} with a key`,
      nodes: [
        { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
        {
          name: 'Call',
          type: 'n8n-nodes-base.httpRequest',
          parameters: {
            url: `${service}/new`,
            authentication: 'genericCredentialType',
            genericAuthType: 'httpHeaderAuth',
          },
          credentials: { httpHeaderAuth: { id, name: `${prefix} key` } },
        },
      ],
      connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
    });
    const usage = await assistant.read('n8n_get_dependencies', { credential: id });
    expect(usage).toMatchObject({ used_by: [{ id: used.workflow.id }] });
    const inUse = await assistant.refused('n8n_call', { tool: 'n8n_delete_credential', params: { id } });
    expect(inUse).toContain(`${prefix} with a key`);
    await assistant.call('n8n_delete_workflow', { id: used.workflow.id });
    await assistant.call('n8n_delete_credential', { id });
    const left = await assistant.read('n8n_list_credentials', {});
    expect(JSON.stringify(left)).not.toContain(id);
  },
};
