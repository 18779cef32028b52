import { z } from 'zod';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from './existing.ts';
import { idInput } from './id-input.ts';
import { LARGEST, readOutput, readVersion } from './reading.ts';
import { summaryOf, workflowSummary } from './summary.ts';
import { versionOf } from './version.ts';

const LONGEST_DESCRIPTION = 500;

export const getWorkflow = n8nTool({
  name: 'n8n_get_workflow',
  aliases: { n8n_get_version: sameArguments },
  title: 'Get workflow',
  description:
    'Reads one workflow, as it is now or in an earlier version: its structure (nodes and connections; the default), one node with all its parameters, or all of it as JSON. A long answer is cut and says how to get the rest.',
  effect: 'read',
  phrases:
    'show a workflow; what does this workflow do; open a flow; read the nodes of a workflow; export a workflow as json; explain an automation; steps of a workflow; look at one node of a workflow; download the workflow definition; get the code inside a workflow; what is in it; describe the structure of a flow; view the settings of a workflow; look at my workflow; display the nodes and connections; what is inside this workflow; give me the json of a workflow; how is this flow built; walk me through the automation; read the configuration of one node in my workflow; which trigger does it have; when does this workflow run; save the workflow as a file; let me see it; explain what it does; what happens in this flow; let me see the prompt in the agent node; which schedule does the workflow have; print the workflow; which nodes does it consist of; how does my automation work; show its settings; what parameters does the node in my workflow have; i want to understand this workflow; give me the source of a flow; summarise a workflow; show the code in my flow; what is it doing; explain the flow to me; dump a flow as json; with what frequency is it scheduled; what is this workflow for; show steps; details of a workflow; let me view the automation; which services does the workflow use; how is a node configured in my workflow; read a workflow; structure of my automation; what triggers it; copy of the json; get workflow content; tell me about this workflow; show an earlier version of a workflow; how did the workflow look before; open an old revision; read a past version; json of a previous version; view version by id; what was in it last week; look at a previous version; content of an old version; what did the workflow contain last month; view revision; get the nodes of an earlier version; retrieve an older draft; the workflow as it stood on friday, only to look at; show version abc; let me read the old version; peek into the past of a workflow; what nodes did the former version have; fetch a revision; fetch the content of a revision; show me the version before the last change; old json of the workflow; display version; recall how the flow was; what did it look like; show the version of a workflow from last week; show me how the workflow was on a certain day',
  tags: ['workflows', 'versions'],
  guidance:
    'Begin with the structure, then read the nodes that matter by name; use "full" only for the whole JSON. Pass workflow.version to n8n_edit_workflow and n8n_update_workflow as expected_version. To go back to an earlier version, publish it with n8n_publish_workflow, or write it with n8n_update_workflow.',
  input: {
    id: idInput,
    version: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Default: draft. Or published, or a version from n8n_list_versions'),
    detail: z.enum(['structure', 'full']).optional().describe('Default: structure'),
    node: z
      .string()
      .optional()
      .describe('Only this node, by its name, with its parameters, credentials and pinned data'),
    from: z.int().min(0).optional().describe('structure: skip this many nodes, as the last answer said'),
    max_bytes: z
      .int()
      .min(1000)
      .max(5_000_000)
      .optional()
      .describe(`full and node: maximum bytes of JSON. Default: ${LARGEST}`),
  },
  output: readOutput.extend({
    workflow: workflowSummary,
    version: z.string().optional().describe('The version you asked for'),
    description: z.string().optional(),
    settings: z.record(z.string(), z.unknown()).optional(),
  }),
  examples: [
    { title: 'Its structure', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
    { title: 'One node', arguments: { id: 'aB3xY9kLmN0pQrSt', node: 'HTTP Request' } },
    { title: 'The live version', arguments: { id: 'aB3xY9kLmN0pQrSt', version: 'published' } },
  ],
  async run({ id, version, ...how }, { client }, { signal }) {
    const workflow = await existingWorkflow(client, id, signal);
    if (version !== undefined) {
      const { nodes, connections } = await versionOf(client, workflow, version, signal);
      const head = { workflow: summaryOf({ ...workflow, nodes }), version };
      return { ...head, ...readVersion({ name: workflow.name, nodes, connections }, head, how) };
    }
    const { description, settings } = workflow;
    const head = {
      workflow: summaryOf(workflow),
      ...(description && { description: cut(description) }),
      ...(settings && how.node === undefined && how.detail !== 'full' && { settings }),
    };
    return { ...head, ...readVersion(workflow, head, how) };
  },
});

const cut = (text: string): string =>
  text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)}…` : text;
