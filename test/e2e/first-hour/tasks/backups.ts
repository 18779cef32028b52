import { expect } from 'vitest';
import type { Task } from '../task.ts';

/** "Keep this state; I will try things out." */
export const backups: Task = {
  name: 'Keep a state, change it twelve times, go back',
  most: { calls: 17, kilobytes: 25 },
  async run(assistant, { prefix }) {
    const made = await assistant.call<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: `${prefix} kept`,
      nodes: [
        {
          name: 'In',
          type: 'n8n-nodes-base.webhook',
          parameters: { path: `${prefix}-kept`, httpMethod: 'POST' },
          notes: 'the first',
        },
      ],
    });
    const { id } = made.workflow;
    const kept = await assistant.call<{ backups: { backup: string }[] }>('n8n_backup_workflow', { id });
    for (let round = 1; round <= 12; round++) {
      const operations = [{ op: 'set_node', node: 'In', set: { notes: `round ${round}` } }];
      await assistant.call('n8n_edit_workflow', { id, operations });
    }
    const backup = kept.backups[0]?.backup ?? '';
    await assistant.call('n8n_restore_workflow', { backup });
    const now = await assistant.read('n8n_get_workflow', { id, detail: 'full' });
    expect(JSON.stringify(now)).toContain('the first');
    const copy = await assistant.call<{ workflow: { id: string } }>('n8n_restore_workflow', { backup, copy: true });
    expect(copy.workflow.id).not.toBe(id);
  },
};
