import { z } from 'zod';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import type { Runner } from './runner/align-runner.ts';
import { itemsInput } from '../items.ts';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { idInput } from '../workflows/id-input.ts';
import { liveVersion } from '../workflows/published.ts';
import { type KnownOutputs, knownOutputs } from '../executions/outputs.ts';
import { begun } from '../executions/lost-run.ts';
import { DEFAULT_SECONDS, waitInput } from '../executions/wait-input.ts';
import { resultOf, runResult } from '../executions/result.ts';
import { startPublished, startSaved, type Started } from './start.ts';
import { runnerFor } from './runner/runner-for.ts';
import { triggersOf } from './triggers.ts';
import { hasEnded, type Patience, patienceOf, untilEnded } from '../executions/wait.ts';
import { chooseWay, needsRunner } from './choose-way.ts';
import { DRAFT, wayNames } from './ways.ts';
import { describeAnswer, webAnswer } from './web-answer.ts';

const ANSWER_BYTES = 700;

export const executeWorkflow = n8nTool({
  name: 'n8n_execute_workflow',
  title: 'Run a workflow',
  description:
    'Runs a workflow and waits for its end: returns the output of its last node, or which node failed and why. Picks the way that fits its trigger (webhook, chat, form, sub-workflow, or a run of the saved draft, which needs a login to n8n). To call a webhook with your own path, query or headers, use n8n_trigger_webhook; with pinned data, n8n_test_workflow.',
  effect: 'execute',
  phrases:
    'run a workflow; start it now; execute a workflow manually; kick off the automation; run it once and show the result; launch a workflow with input data; trigger it by hand; chat with the workflow; submit the form of a workflow; do it now; call a workflow and get the answer; run my automation; start a workflow with these values; do a manual run; execute it and wait for the output; please run the job now; send a chat message to my agent workflow; fill in the form and submit it; what does the workflow return for this input; fire the workflow; run it right away; do it once right now; start it with these values and tell me what comes out; ask my agent workflow a question; i want to see it run; have it process this; go, run; use the workflow to handle this; kick it off; perform the automation for one item; call my sub-workflow with data; have it process this now; launch a flow; put a question to the chat workflow; run this workflow for me; trigger manually; fire it up; do a run; start processing; make it do its work now; run by hand and give me the output; go through it for real; invoke a workflow with parameters; execute with data; i need the result of the workflow',
  tags: ['executions'],
  guidance:
    'A published workflow runs in its live version, any other as it is saved. Cancelling the call stops only the waiting; n8n_stop_execution stops the workflow.',
  input: {
    id: idInput,
    data: z
      .union([itemsInput, z.string()])
      .optional()
      .describe(
        'Its input: body of a webhook, fields of a form by label, text of a chat, inputs of a sub-workflow, else the item or items of its trigger',
      ),
    trigger: z.string().max(200).optional().describe('Name of the trigger to start at, if it has several'),
    way: z
      .enum(wayNames)
      .optional()
      .describe('How to start it. Default: what fits its trigger. draft: as it is saved, not as it is live'),
    wait_seconds: waitInput,
    create_runner: z
      .boolean()
      .optional()
      .describe(
        'Lets Sluice create a small workflow in n8n, "[sluice] runner", and its credential, if a sub-workflow can be run no other way; bridge_cleanup removes them',
      ),
  },
  output: runResult.extend({
    workflow: z.object({ id: z.string(), name: z.string() }),
    way: z.enum(wayNames),
    trigger: z.string(),
    ran: z.enum(['published', 'draft']).describe('Which version'),
    answer: webAnswer.optional().describe('What its webhook or chat answered'),
  }),
  examples: [
    { title: 'Run with an input', arguments: { id: 'r4tKq0uX2b', data: { order: 42 } } },
    { title: 'Run the draft', arguments: { id: 'r4tKq0uX2b', way: 'draft' } },
  ],
  async run(
    { id, data, trigger, way, wait_seconds = DEFAULT_SECONDS, create_runner = false },
    { client, catalogues, records },
    { signal },
    progress,
  ) {
    const patience = patienceOf(wait_seconds, signal, progress);
    const workflow = await existingWorkflow(client, id, signal);
    const runner =
      isCallable(workflow) && !create_runner
        ? await runnerFor({ client, records, mayWrite: false }, workflow, signal)
        : undefined;
    const { trigger: chosen, isDraft } = chooseWay(
      workflow,
      { way, trigger },
      { login: client.session.possible, runner: runner !== undefined || create_runner },
    );
    const started = isDraft
      ? await startSaved(client, workflow, chosen, data, patience)
      : await startPublished(
          client,
          workflow,
          chosen,
          data,
          patience,
          async () => runner ?? ((await runnerFor({ client, records, mayWrite: true }, workflow, signal)) as Runner),
        );
    const result = await resultFor(client, started, knownOutputs(catalogues, client.name), patience);
    return {
      workflow: { id: workflow.id, name: workflow.name },
      way: isDraft ? DRAFT : chosen.way.kind,
      trigger: chosen.node.name,
      ran: isDraft ? ('draft' as const) : ('published' as const),
      ...result,
      // The answer of the runner is not the workflow's own.
      ...(started.answer && !needsRunner(chosen) && { answer: describeAnswer(started.answer, ANSWER_BYTES) }),
    };
  },
});

/** Whether to look for the runner at all. */
const isCallable = (workflow: Workflow): boolean => triggersOf(liveVersion(workflow)?.nodes ?? []).some(needsRunner);

async function resultFor(
  client: N8nClient,
  { execution, answer, unanswered, failed }: Started,
  known: KnownOutputs,
  patience: Patience,
) {
  if (!execution) {
    if (unanswered) return { status: 'running', note: 'It has not answered yet. n8n_list_executions shows its state.' };
    const isBad = failed !== undefined || (answer?.status ?? 200) >= 400;
    const why = failed === undefined ? '' : `It failed: ${failed} `;
    return {
      status: isBad ? 'error' : 'success',
      note: `${why}n8n kept no execution of it (its settings say which are kept), so only the answer is known.`,
    };
  }
  const { id } = execution;
  const now = hasEnded(execution) ? execution : await untilEnded(client, id, patience, true);
  return begun(id, resultOf(client, now, known, patience.signal));
}
