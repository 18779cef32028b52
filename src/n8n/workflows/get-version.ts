import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from './existing.ts';
import { readVersion, readOutput } from './reading.ts';
import { idInput } from './id-input.ts';
import { versionOf } from './version.ts';

export const getVersion = n8nTool({
  name: 'n8n_get_version',
  title: 'Get version',
  description:
    'Reads an earlier version of a workflow: its structure, one node, or all of it as JSON (nodes and connections). To go back to it, publish it with n8n_activate_workflow, or write it with n8n_update_workflow.',
  effect: 'read',
  phrases:
    'show an earlier version of a workflow; how did the workflow look before; open an old revision; read a past version; json of a previous version; view version by id; what was in it last week; look at a previous version; content of an old version; what did the workflow contain last month; view revision; get the nodes of an earlier version; retrieve an older draft; the workflow as it stood on friday, only to look at; show version abc; let me read the old version; peek into the past of a workflow; what nodes did the former version have; fetch a revision; fetch the content of a revision; show me the version before the last change; old json of the workflow; display version; recall how the flow was; what did it look like',
  tags: ['workflows', 'versions'],
  input: {
    id: idInput,
    version: z.string().min(1).max(100).describe('From n8n_workflow_history; or draft, or published'),
    detail: z.enum(['structure', 'full']).optional().describe('structure unless told'),
    node: z.string().optional().describe('Only this node, by its name, with its parameters'),
    from: z.int().min(0).optional().describe('structure: skip this many nodes, as the answer before said'),
    max_bytes: z.int().min(1000).max(5_000_000).optional().describe('full and node: at most so much JSON'),
  },
  output: readOutput.extend({ workflow: z.object({ id: z.string(), name: z.string(), version: z.string() }) }),
  async run({ id, version, ...how }, { client }, { signal }) {
    const workflow = await existingWorkflow(client, id, signal);
    const { nodes, connections } = await versionOf(client, workflow, version, signal);
    const head = { workflow: { id, name: workflow.name, version } };
    return { ...head, ...readVersion({ name: workflow.name, nodes, connections }, head, how) };
  },
});
