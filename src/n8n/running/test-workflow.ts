import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Workflow } from '../client/shapes.ts';
import { itemsInput, pinsInput, pinsOf } from '../items.ts';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { idInput } from '../workflows/id-input.ts';
import { nodeSummary, nodesOf } from '../executions/digest.ts';
import { begun } from '../executions/lost-run.ts';
import { DEFAULT_SECONDS, waitInput } from '../executions/wait-input.ts';
import { knownOutputs } from '../executions/outputs.ts';
import { resultOf, runResult } from '../executions/result.ts';
import { startDraft } from './draft-run.ts';
import { existingExecution, patienceOf, untilEnded } from '../executions/wait.ts';
import { chooseWay } from './choose-way.ts';

const MOST_NODES = 15;

export const testWorkflow = n8nTool({
  name: 'n8n_test_workflow',
  title: 'Test a workflow with pinned data',
  description:
    'Runs the saved draft of a workflow with pinned data: a pinned node does not run, its data are used instead. Pins that the workflow already has stay; those in "pin_data" are for this run only. Nodes that are not pinned run for real. Needs a login to n8n. Returns each node that ran, and the last output or the error.',
  effect: 'execute',
  phrases:
    'test a workflow with sample data; try it with fake input; run with pinned data; mock a node; dry run of an automation; test my draft before publishing; simulate the trigger; run only up to a node; test without real api calls; try out a workflow; execute part of a workflow; run a single node; try my workflow with test data; run with example input; test run of the draft; use mock data instead of the real service; simulate a run safely; test one step; what would happen with this input; check that it works before going live; try the flow without sending real emails; run part of the workflow; run with pins; test my automation; pretend a webhook came in and show what the flow would do; run the first nodes only; try the draft on an example; test with made up data; check what the workflow does with this; without touching the real systems; run my unfinished workflow; debug with sample items; rehearse the automation; stub a node; see whether my change works; go through the draft with invented data; only run as far as a node; how does the flow react to a sample; trial run; check my changes with test input; try before publishing; mock input; test a node of the flow; simulate; use pinned data; experiment with a workflow; safe test; partial run',
  tags: ['executions'],
  guidance: 'Pin every node that sends or changes something (mail, HTTP, databases) to test without doing it.',
  input: {
    id: idInput,
    pin_data: pinsInput
      .optional()
      .describe(
        'By name of a node, the items to output: { "Get order": [{ "id": 1 }] }; [{ "json": { "id": 1 } }] means the same',
      ),
    data: z.union([itemsInput, z.string()]).optional().describe('Input of the trigger'),
    trigger: z.string().max(200).optional().describe('Name of the trigger to start at, if it has several'),
    up_to: z.string().max(200).optional().describe('Name of the node to stop after'),
    wait_seconds: waitInput,
  },
  output: runResult.extend({
    workflow: z.object({ id: z.string(), name: z.string() }),
    trigger: z.string(),
    pinned: z.array(z.string()).describe('Nodes that did not run'),
    nodes: z.array(nodeSummary),
  }),
  examples: [
    {
      title: 'Without calling the service',
      arguments: { id: 'r4tKq0uX2b', data: { order: 42 }, pin_data: { 'Get order': [{ id: 42, total: 9 }] } },
    },
  ],
  async run(
    { id, pin_data = {}, data, trigger, up_to, wait_seconds = DEFAULT_SECONDS },
    { client, catalogues },
    { signal },
    progress,
  ) {
    const patience = patienceOf(wait_seconds, signal, progress);
    const before = await existingWorkflow(client, id, signal);
    for (const name of [...Object.keys(pin_data), ...(up_to === undefined ? [] : [up_to])]) assertNode(before, name);
    const chosen = chooseWay(before, { way: 'draft', trigger }, { login: client.session.possible, runner: false });
    const { until } = patience;
    const draft = { data, pins: pinsOf(pin_data), upTo: up_to, until, signal };
    const started = await startDraft(client, before, chosen.trigger, draft);
    const ended = await begun(started, untilEnded(client, started, patience, true));
    const known = knownOutputs(catalogues, client.name);
    const nodes = nodesOf(await begun(started, existingExecution(client, started, true, signal)), known);
    return {
      workflow: { id: before.id, name: before.name },
      trigger: chosen.trigger.node.name,
      ...(await begun(started, resultOf(client, ended, known, signal))),
      pinned: nodes.filter((node) => node.pinned).map(({ node }) => node),
      nodes: nodes.slice(0, MOST_NODES),
    };
  },
});

function assertNode({ name: title, nodes }: Workflow, name: string): void {
  if (nodes.some((node) => node.name === name)) return;
  const near = nearestNames(
    name,
    nodes.map((node) => node.name),
  );
  const meant = didYouMean(near, 'n8n_get_workflow shows its nodes.');
  throw new AppError('not_found', `"${title}" has no node ${shown(name)}. ${meant}`);
}
