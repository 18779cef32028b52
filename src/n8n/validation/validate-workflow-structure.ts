import { judgingTool } from './judging-tool.ts';

export const validateWorkflowStructure = judgingTool({
  name: 'n8n_validate_workflow_structure',
  title: 'Validate workflow structure',
  description:
    'Checks the structure of a workflow: its form, node types and versions, parameters, connections, triggers and webhooks. n8n_validate_workflow checks everything.',
  groups: ['structure', 'parameters', 'connections', 'webhooks'],
  phrases:
    'check the connections of a workflow; are all nodes connected; check the wiring; unconnected nodes and loose ends; is the shape of a workflow right; no trigger in the workflow; structure of the json; unreachable nodes; is the graph valid; are the nodes wired correctly; any node without a connection; is there a trigger; check links between nodes; orphan nodes; dangling connections; is the workflow put together right; layout of connections; missing start node; structural problems; dead ends in the flow; is something not hooked up; does it begin with a trigger; do the arrows make sense; nodes hanging in the air; are connections right; is every node reachable; missing links; two nodes with the same name; is the skeleton fine; wrong inputs and outputs; check the flow chart; does each step lead somewhere; is the wiring intact; check the graph; are there isolated nodes; nodes not connected; does everything link up; broken connections; check types and connections; is a trigger missing; form of the workflow',
  example: { title: 'A draft as JSON', arguments: { workflow: { nodes: [], connections: {} }, purpose: 'save' } },
});
