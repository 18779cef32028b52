import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Tag } from '../client/shapes.ts';
import { pinsInput, pinsOf } from '../items.ts';
import { assignTags, tagIds, tagsThatExist } from '../tags/names.ts';
import { n8nTool } from '../tool.ts';
import { saveGuard, validateInput, validationShape } from '../validation/on-save.ts';
import { completedNodes, groupsWithin, writable } from './body.ts';
import { isLost } from './lost.ts';
import { withNewestVersions } from './newest-versions.ts';
import { connectionsInput, nodeInput } from './node-input.ts';
import { type Pasted, pasteable, pastedInput } from './pasted.ts';
import { publication, publishSaved } from './publish.ts';
import { checkedSettings, settingsInput } from './settings.ts';
import { summaryOf, workflowSummary } from './summary.ts';

export const createWorkflow = n8nTool({
  name: 'n8n_create_workflow',
  title: 'Create workflow',
  description:
    'Creates a workflow from nodes and connections, or from a pasted export. It is a draft until you publish it, with "publish" or n8n_publish_workflow. For small changes later use n8n_edit_workflow.',
  effect: 'create',
  phrases:
    'create a workflow; build an automation; make a new flow; new workflow from scratch; import a workflow from json; automate something; set up a workflow that does something every day; write a flow with these nodes; start a new automation; paste an exported workflow; generate a workflow; upload a workflow template; make something that runs every morning; automate a task for me; create an automation from a description; put a new flow into n8n; set up a bot; load this json as a workflow; design a new workflow; add a new automation; write me a workflow; when an email arrives, do something; every friday collect data and mail it; i have a json from the template gallery, load it; make me a bot that answers; whenever something arrives, notify me; i want to automate my reports; when a form is submitted, add a row; remind me every day; put together a flow; sync two systems regularly; i need an automation for this; set up a daily job; a new one that posts a message; whenever somebody pays, thank him; assemble a flow out of nodes; i copied a workflow from the forum, install it; if this happens then do that; implement an automation; get this workflow json into n8n; turn my idea into a workflow; each time a row is added, call an api; build me something that watches a folder; begin a new project flow; add workflow; let n8n do this for me regularly; install a template; import an exported workflow; paste this workflow json into n8n; make a workflow from this template',
  tags: ['workflows'],
  takesMore: true,
  reads: pasteable,
  input: {
    workflow: pastedInput,
    name: z.string().min(1).max(128).optional().describe('Name of the workflow; optional if the pasted one has a name'),
    description: z.string().max(5000).optional().describe('What it is for'),
    nodes: z.array(nodeInput).max(5000).optional().describe('Its nodes'),
    connections: connectionsInput.optional(),
    settings: settingsInput.optional(),
    pin_data: pinsInput
      .optional()
      .describe('Items a node returns in manual runs, by node name: { "Get order": [{ "id": 1 }] }'),
    tags: z.array(z.string().min(1).max(24)).max(50).optional().describe('Names of tags'),
    create_tags: z.boolean().optional().describe('Create the tags that do not exist'),
    project: z.string().optional().describe('Id of its project. Default: the personal one'),
    publish: z.boolean().optional().describe('Publish it now and wait until it is live'),
    validate: validateInput,
  },
  output: z.object({
    workflow: workflowSummary,
    note: z.string().optional(),
    publication: publication.optional(),
    validation: validationShape.optional(),
  }),
  examples: [
    {
      title: 'A webhook that answers',
      arguments: {
        name: 'Ping',
        nodes: [
          {
            name: 'Webhook',
            type: 'n8n-nodes-base.webhook',
            typeVersion: 2,
            parameters: { path: 'ping', responseMode: 'lastNode' },
          },
          {
            name: 'Answer',
            type: 'n8n-nodes-base.set',
            typeVersion: 3.4,
            parameters: { mode: 'raw', jsonOutput: '{"pong":true}' },
          },
        ],
        connections: { Webhook: { main: [[{ node: 'Answer', type: 'main', index: 0 }]] } },
        publish: true,
      },
    },
  ],
  async run(given, deps, { signal }) {
    const { client } = deps;
    const { workflow: pasted, name, nodes: listed } = given;
    if (name === undefined || listed === undefined) throw missing(name === undefined ? 'name' : 'nodes');
    assertDistinct(listed.map((node) => node.name));
    const { nodes: versioned, lines } = await withNewestVersions(listed, client, deps);
    const connections = given.connections ?? {};
    const nodes = completedNodes(versioned, connections);
    const pinData = given.pin_data ?? pasted?.pinData;
    const nodeGroups = groupsWithin(pasted?.nodeGroups, nodes);
    const body = writable({
      name,
      nodes,
      connections,
      settings: { executionOrder: 'v1', ...checkedSettings(given.settings ?? {}) },
      ...(given.description !== undefined && { description: given.description }),
      ...(pinData && { pinData: pinsOf(pinData) }),
      ...(nodeGroups && { nodeGroups }),
    });
    const guard = saveGuard(client, deps, signal, { mode: given.validate, publish: given.publish });
    await guard.check(body);
    const { tags, line } = await wantedTags(client, given, signal);
    const note = [
      ...(pasted?.lines() ?? []),
      ...lines,
      ...(line === undefined ? [] : [line]),
      ...draftLine(given),
    ].join(' ');
    // Don't cancel from here on: the caller could not know what was created.
    let made = await client.workflows
      .create({ ...body, ...(given.project !== undefined && { projectId: given.project }) })
      .catch((error: unknown) => {
        if (!isLost(error) || error.code === 'internal') throw error;
        const advice = `"${name}" may have been created: look for it with n8n_list_workflows by this name before you repeat the call.`;
        throw new AppError(error.code, `${error.message} ${advice}`, { cause: error });
      });
    if (tags.length > 0) made = { ...made, tags: await assignTags(client, made.id, tags) };
    const told = { ...(note !== '' && { note }), ...guard.told() };
    if (!given.publish) return { workflow: summaryOf(made), ...told };
    const { workflow, publication: published } = await publishSaved(client, made, signal);
    return { workflow: summaryOf({ ...workflow, tags: made.tags }), publication: published, ...told };
  },
});

function missing(what: 'name' | 'nodes'): AppError {
  const advice = what === 'name' ? 'Pass a name' : 'Pass the nodes';
  return new AppError(
    'invalid_input',
    `n8n_create_workflow was not called: ${what} is missing. ${advice}, or paste an exported workflow as "workflow".`,
  );
}

interface Tagged {
  readonly tags?: readonly string[] | undefined;
  readonly create_tags?: boolean | undefined;
  readonly workflow?: Pasted | undefined;
  readonly publish?: boolean | undefined;
}

/** A requested tag must exist or be created. A tag that only came with the export is left out if it does not exist. */
async function wantedTags(
  client: N8nClient,
  { tags, create_tags: create = false, workflow }: Tagged,
  signal: AbortSignal,
): Promise<{ tags: Tag[]; line?: string | undefined }> {
  if (tags) return { tags: await tagIds(client, tags, create, signal) };
  const pasted = workflow?.tags ?? [];
  if (pasted.length === 0 || create) return { tags: await tagIds(client, pasted, create, signal) };
  return tagsThatExist(client, pasted, signal, '"create_tags": true creates them');
}

function draftLine({ workflow, publish }: Tagged): string[] {
  return workflow?.active && !publish
    ? ['It was live where you exported it. Here it is a draft until you publish it.']
    : [];
}

/** n8n also refuses two nodes with the same name, but with a less helpful error. */
export function assertDistinct(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new AppError('invalid_input', `Two nodes are called "${name}". Names must be unique within a workflow.`);
    seen.add(name);
  }
}
