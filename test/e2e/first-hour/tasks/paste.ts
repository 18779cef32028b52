import { expect } from 'vitest';
import type { Task } from '../task.ts';

/** An unmodified download of n8n's editor. */
export const paste: Task = {
  name: 'Paste an exported workflow, twice',
  most: { calls: 3, kilobytes: 10 },
  async run(assistant, { prefix }) {
    const exported = (text: string) => ({
      name: `${prefix} pasted`,
      nodes: [
        {
          parameters: {},
          id: '6f1a7c1e-0001-4c7e-9d0a-0a5a5e7d0001',
          name: 'Start',
          type: 'n8n-nodes-base.manualTrigger',
          typeVersion: 1,
          position: [0, 0],
        },
        {
          parameters: { assignments: { assignments: [{ id: '1', name: 'text', type: 'string', value: text }] } },
          id: '6f1a7c1e-0002-4c7e-9d0a-0a5a5e7d0002',
          name: 'Text',
          type: 'n8n-nodes-base.set',
          position: [220, 0],
          issues: {},
        },
      ],
      connections: { Start: { main: [[{ node: 'Text', type: 'main', index: 0 }]] } },
      pinData: { Start: [{ json: { pinned: true } }] },
      active: true,
      settings: { executionOrder: 'v1' },
      versionId: 'b2c0f1de-0003-4c7e-9d0a-0a5a5e7d0003',
      meta: { templateCredsSetupCompleted: true, instanceId: 'x' },
      id: 'AbCdEfGh12345678',
      tags: [],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
      triggerCount: 0,
    });
    const made = await assistant.call<{ workflow: { id: string } }>('n8n_create_workflow', exported('first'));
    const { id } = made.workflow;
    const { id: _, ...second } = exported('second');
    await assistant.call('n8n_update_workflow', { ...second, id });
    const full = JSON.stringify(await assistant.read('n8n_get_workflow', { id, detail: 'full' }));
    expect(full).toContain('second');
    expect(full).toContain('"pinned":true');
  },
};
