import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { scanWorkflows } from '../find/scan.ts';
import { pathMatches } from '../find/webhook-match.ts';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { idInput } from '../workflows/id-input.ts';
import { liveVersion } from '../workflows/published.ts';
import { callTrace } from './call-trace.ts';
import { armTestWebhook } from './draft-run.ts';
import { DEFAULT_SECONDS } from '../executions/wait-input.ts';
import { afterLoss, isLostRun, lostRun } from '../executions/lost-run.ts';
import { findLost } from '../executions/sought.ts';
import { safePath } from './safe-path.ts';
import { type Trigger, triggersOf } from './triggers.ts';
import { hasParameters, webhook, webhookMethods, webhookPath } from './ways/webhook.ts';
import { type Patience, patienceOf, ticking } from '../executions/wait.ts';
import { bodyOf, describeAnswer, type RawAnswer, webAnswer } from './web-answer.ts';
import { callWeb, isUnregistered } from './web-call.ts';

const ANSWER_BYTES = 3000;
const APPEARS_MS = 2000;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
/** One line of Latin-1, as HTTP has it. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const forbidden = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

export const triggerWebhook = n8nTool({
  name: 'n8n_trigger_webhook',
  title: 'Call a webhook',
  description:
    'Calls a webhook of n8n, live or test, and returns its answer. Name it by workflow id or by path. With "test" n8n listens once at the test address and runs the saved draft (needs a login to n8n, or somebody who presses "Listen for test event" in the editor). A binary answer is described, not shown.',
  effect: 'execute',
  phrases:
    'call a webhook; send a request to a webhook; post data to the webhook url; hit the test url; simulate an incoming request; http get or post to my workflow; send headers and a body; try the webhook endpoint; curl the webhook; send data to a workflow over http; make an http call to my workflow; post json to the webhook; test my webhook; what does the webhook answer; invoke the endpoint of a workflow; ping a webhook; send a test event to the webhook; trigger by url; pass query parameters to a webhook; post this json to my path; what does my endpoint reply to a get; send something to the webhook; knock at the webhook; emulate a callback from a service; make a request with these headers; deliver a payload; is my webhook answering; hit my api endpoint in n8n; send an http request to path; fire a get at my hook; push a payload into a webhook; send a request; call the url of a workflow; is the webhook reachable; submit data to an endpoint; test url; mimic an external system; webhook call with a body; get the response of a webhook',
  tags: ['executions', 'webhooks'],
  input: {
    id: idInput.optional().describe('Workflow that has the webhook; method and path come from it'),
    trigger: z.string().max(200).optional().describe('Name of the webhook node, if the workflow has several'),
    path: z.string().min(1).max(1000).optional().describe('Path below /webhook/, with its parameters filled in'),
    method: z.enum(methods).optional().describe("Default: the webhook's own, or POST if that is unknown"),
    query: z.record(z.string(), z.string()).optional().describe('Query parameters'),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string())
      .optional()
      .describe('For example one that the webhook checks'),
    body: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string()])
      .optional()
      .describe('Sent as JSON; a text is sent as it is'),
    test: z.boolean().optional().describe('Call the test address, not the live one'),
    wait_seconds: z
      .int()
      .min(1)
      .max(900)
      .optional()
      .describe(`Seconds to wait for the answer. Default: ${DEFAULT_SECONDS}`),
  },
  output: webAnswer.extend({
    url: z.string().describe('What was called, without the query'),
    method: z.string(),
    workflow: z.object({ id: z.string(), name: z.string() }).optional(),
  }),
  examples: [
    { title: 'By workflow', arguments: { id: 'r4tKq0uX2b', body: { order: 42 } } },
    { title: 'By path', arguments: { path: 'orders/42', method: 'GET', query: { full: '1' } } },
  ],
  async run(
    { query, headers, body, test = false, wait_seconds = DEFAULT_SECONDS, ...asked },
    { client },
    { signal },
    progress,
  ) {
    const patience = patienceOf(wait_seconds, signal, progress);
    const refused = Object.keys(headers ?? {}).find((name) => forbidden.has(name.toLowerCase()));
    if (refused !== undefined) throw new AppError('invalid_input', `The header ${refused} is set by the call itself.`);
    const odd = Object.entries(headers ?? {}).find(([, value]) => !HEADER_VALUE.test(value));
    if (odd)
      throw new AppError('invalid_input', `The value of the header ${odd[0]} has a character that no header may have.`);
    const found = await hookFor(client, asked, test, signal);
    const { workflow, trigger } = found;
    const path = safePath(found.path);
    const method = asked.method ?? found.method;
    if (test && client.session.possible && workflow && trigger) await armTestWebhook(client, workflow, trigger, signal);
    const url = `/${test ? 'webhook-test' : 'webhook'}/${path}`;
    const since = Date.now();
    const trace = callTrace(headers);
    const answer = await ticking(`${method} ${url}`, patience, () =>
      callWeb(
        client,
        { method, path: url, query, headers: { ...headers, ...trace.headers }, body },
        { timeoutMs: wait_seconds * 1000, signal, appearsMs: workflow?.active || test ? APPEARS_MS : 0 },
      ).catch(async (error: unknown) => {
        if (!isLostRun(error)) throw error;
        throw await lostCall(client, { workflow, path, test, mark: trace.mark, since }, patience, error);
      }),
    );
    if (isUnregistered(answer)) throw unregistered(answer, test, workflow, client);
    return {
      url: `${client.url.replace(/\/+$/, '')}${url}`,
      method,
      ...(workflow && { workflow: { id: workflow.id, name: workflow.name } }),
      ...describeAnswer(answer, ANSWER_BYTES),
    };
  },
});

/** n8n went away before it answered. Once it is back, it shows what it had started. */
async function lostCall(
  client: N8nClient,
  { path, test, ...call }: { workflow: Workflow | undefined; path: string; test: boolean; mark: string; since: number },
  patience: Patience,
  error: unknown,
): Promise<AppError> {
  let { workflow } = call;
  const after = await afterLoss(patience, async (limit) => {
    workflow ??= await ownerOf(client, path, test, limit);
    return workflow && findLost(client, { workflow: workflow.id, mark: call.mark, since: call.since }, limit);
  });
  const called = workflow ? `"${workflow.name}"` : `the webhook ${path}`;
  return lostRun(client, { called, workflow: workflow?.id }, after, error);
}

/** The workflow that owns this webhook. */
async function ownerOf(client: N8nClient, path: string, test: boolean, signal: AbortSignal) {
  const all = await scanWorkflows(client, signal);
  return all.find((one) => webhooksIn(one, test).some((hook) => pathMatches(webhookPath(hook.node), path)));
}

interface Hook {
  readonly path: string;
  readonly method: string;
  readonly workflow?: Workflow;
  readonly trigger?: Trigger;
}

async function hookFor(
  client: N8nClient,
  {
    id,
    trigger: name,
    path,
    method,
  }: { id?: string | undefined; trigger?: string | undefined; path?: string | undefined; method?: string | undefined },
  test: boolean,
  signal: AbortSignal,
): Promise<Hook> {
  if (id !== undefined) {
    const workflow = await existingWorkflow(client, id, signal);
    const hooks = webhooksIn(workflow, test).filter(({ node }) => name === undefined || node.name === name);
    const trigger = hooks.find(({ node }) => method === undefined || webhookMethods(node).includes(method)) ?? hooks[0];
    const own = trigger && webhookPath(trigger.node);
    if (!trigger || own === undefined) {
      throw new AppError(
        'invalid_input',
        `"${workflow.name}" has no ${test ? '' : 'live '}webhook${name === undefined ? '' : ` ${name}`}. n8n_get_workflow shows its nodes.`,
      );
    }
    if (path === undefined && hasParameters(own)) {
      throw new AppError('invalid_input', `Its path has parameters: ${own}. Give "path" with them filled in.`);
    }
    return { workflow, trigger, path: path ?? own, method: webhookMethods(trigger.node)[0] as string };
  }
  if (path === undefined)
    throw new AppError('invalid_input', 'Say which webhook: give the id of the workflow, or the path.');
  const bare = path.replace(/^(https?:\/\/[^/]+)?\/*(webhook(-test)?\/)?/, '').replace(/\?.*$/, '');
  // Only a test call needs the workflow: n8n has to be told to listen.
  if (!test || !client.session.possible) return { path: bare, method: 'POST' };
  for (const workflow of await scanWorkflows(client, signal)) {
    const trigger = webhooksIn(workflow, true).find(({ node }) => pathMatches(webhookPath(node), bare));
    if (trigger) return { workflow, trigger, path: bare, method: webhookMethods(trigger.node)[0] as string };
  }
  throw new AppError(
    'not_found',
    `No workflow has a webhook at ${bare.slice(0, 200)}. n8n_search_workflows finds webhooks by path.`,
  );
}

function webhooksIn(workflow: Workflow, test: boolean): Trigger[] {
  return triggersOf((test ? workflow : liveVersion(workflow))?.nodes ?? []).filter(({ way }) => way === webhook);
}

function unregistered(answer: RawAnswer, test: boolean, workflow: Workflow | undefined, client: N8nClient): AppError {
  const { message } = bodyOf(answer) as { message: string };
  const live =
    workflow && !workflow.active
      ? 'Its workflow is not published: n8n_publish_workflow.'
      : 'n8n_search_workflows { webhook_path } finds its workflow, and n8n_publish_workflow publishes it.';
  const tested = client.session.possible
    ? 'Give the id of the workflow, so that Sluice can make n8n listen.'
    : 'n8n listens there only after "Listen for test event" in its editor, or with a login in n8n.<name>.login.';
  return new AppError('not_found', `n8n (${client.name}) says: ${message} ${test ? tested : live}`);
}
