import { expect } from 'vitest';
import type { Json } from '../../../integration/harness.ts';
import type { Task } from '../task.ts';

/** Typical mistakes of models, and a word that tells them what to do instead. */
const wrong: [tool: string, args: Json, advice: RegExp][] = [
  ['n8n_read', { tool: 'n8n_get_workflow', params: { id: 'nosuchthing' } }, /n8n_list_workflows|Did you mean/],
  ['n8n_read', { tool: 'n8n_get_workflows', params: {} }, /n8n_(get|list)_workflow/],
  ['n8n_read', { tool: 'n8n_get_workflow', payload: { id: '1' } }, /params/],
  ['n8n_read', { tool: 'n8n_get_workflow', params: { workflowId: '1' } }, /id/],
  ['n8n_read', { tool: 'n8n_delete_workflow', params: { id: '1' } }, /n8n_call/],
  ['n8n_read', { params: {} }, /tool/],
  ['n8n_call', { tool: 'n8n_create_workflow', params: { nodes: [] } }, /name/],
  ['n8n_call', { tool: 'n8n_create_workflow', params: { name: 'x', nodes: 'none' } }, /nodes/],
  ['n8n_call', { tool: 'n8n_edit_workflow', params: { id: 'nosuchthing', operations: [{ op: 'explode' }] } }, /op/],
  ['n8n_call', { tool: 'n8n_execute_workflow', params: {} }, /id/],
  ['n8n_read', { tool: 'n8n_list_executions', params: { status: 'broken' } }, /error/],
  ['n8n_read', { tool: 'n8n_list_failures', params: { since: 'yesterdayish' } }, /ISO/],
  ['get_node_details', {}, /nodes/],
  ['search_nodes', {}, /query/],
  ['n8n_list', { query: 5, extra: true }, /query|extra/],
];

/** Each gets an error that says what to do, and changes nothing. */
export const badInput: Task = {
  name: 'Fifteen calls that are wrong',
  most: { calls: wrong.length + 2, kilobytes: 16 },
  async run(assistant, { prefix }) {
    const before = await assistant.read('n8n_list_workflows', { name: prefix });
    for (const [tool, args, advice] of wrong) {
      const said = await assistant.refused(tool, args);
      expect(said, JSON.stringify(args)).toMatch(advice);
      expect(said.length, said).toBeLessThan(1500);
    }
    expect(await assistant.read('n8n_list_workflows', { name: prefix })).toEqual(before);
  },
};
