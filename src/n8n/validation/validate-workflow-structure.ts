import { judgingTool } from './judging-tool.ts';

export const validateWorkflowStructure = judgingTool({
  name: 'n8n_validate_workflow_structure',
  title: 'Validate workflow structure',
  description:
    'Checks how a workflow is put together: its form, types and versions of nodes, their parameters, connections, triggers and webhooks. n8n_validate_workflow checks everything.',
  groups: ['structure', 'parameters', 'connections', 'webhooks'],
  example: { title: 'A draft as JSON', arguments: { workflow: { nodes: [], connections: {} }, purpose: 'save' } },
});
