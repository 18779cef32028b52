import { expect } from 'vitest';
import type { Task } from '../task.ts';

/** Two people change the same workflow. */
export const together: Task = {
  name: 'Change what somebody else changes, too',
  most: { calls: 5, kilobytes: 12 },
  async run(assistant, { prefix, colleague }) {
    const made = await assistant.call<{ workflow: { id: string; version: string } }>('n8n_create_workflow', {
      name: `${prefix} shared`,
      nodes: [
        { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
        { name: 'Text', type: 'n8n-nodes-base.set', parameters: assign('a') },
      ],
      connections: { Start: { main: [[{ node: 'Text', type: 'main', index: 0 }]] } },
    });
    const { id, version } = made.workflow;
    await colleague.call('n8n_edit_workflow', { id, operations: [{ op: 'rename_node', node: 'Text', to: 'Words' }] });
    const edit = (expected_version: string, node: string) => ({
      tool: 'n8n_edit_workflow',
      params: {
        id,
        expected_version,
        operations: [{ op: 'set_parameter', node, path: 'assignments.assignments[0].value', value: 'b' }],
      },
    });
    // The refusal says what changed, so one look is enough.
    const refusal = await assistant.refused('n8n_call', edit(version, 'Text'));
    expect(refusal).toContain('Words');
    const now = await assistant.read<{ version?: string; workflow?: { version: string } }>('n8n_get_workflow', { id });
    const present = now.version ?? now.workflow?.version ?? '';
    await assistant.use('n8n_call', edit(present, 'Words'));
    const whole = await assistant.read('n8n_get_workflow', { id, detail: 'full' });
    expect(JSON.stringify(whole)).toContain('"name":"Words"');
  },
};

const assign = (value: string) => ({
  assignments: { assignments: [{ id: '1', name: 'text', type: 'string', value }] },
});
