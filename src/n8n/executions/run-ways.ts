import { AppError } from '../../kernel/errors.ts';
import { traceFrom, traceparent } from '../../kernel/trace.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution, Workflow } from '../client/shapes.ts';
import { itemsOf } from '../items.ts';
import { begun, chatMessage, startDraft } from './draft-run.ts';
import { formData } from './fill-form.ts';
import { locate, newestExecution } from './locate.ts';
import { runDataOf } from './run-data.ts';
import type { Runner } from './runner.ts';
import { formPath, formRoot, type Trigger, webhookMethods, webhookPath } from './triggers.ts';
import { type Patience, ticking } from './wait.ts';
import { bodyOf, type RawAnswer } from './web-answer.ts';
import { callWeb, isUnregistered, safePath } from './web-call.ts';

/** What came of setting a workflow going. */
export interface Started {
  /** Undefined when n8n kept nothing of it. */
  readonly execution?: Execution | undefined;
  readonly answer?: RawAnswer;
  /** It was still at work when patience ended. */
  readonly unanswered?: boolean;
}

const APPEARS_MS = 5000;
const LOCATE_MS = 4000;
/** When nothing is kept, there is nothing to look for. */
const GLANCE_MS = 300;

/** n8n keeps the trace of a call, with the headers of a webhook or beside the data. It names our call, and adds nothing of our own. */
function newTrace(): { mark: string; headers: Record<string, string> } {
  const trace = traceFrom();
  return { mark: trace.traceId, headers: { traceparent: traceparent(trace) } };
}

export async function runWebhook(
  client: N8nClient,
  workflow: Workflow,
  trigger: Trigger,
  data: unknown,
  patience: Patience,
): Promise<Started> {
  const path = webhookPath(trigger) as string;
  if (/(^|\/):/.test(path)) {
    throw new AppError(
      'invalid_input',
      `The path of ${trigger.name} has parameters: ${path}. Call it with n8n_trigger_webhook and the path filled in.`,
    );
  }
  const methods = webhookMethods(trigger);
  const method = methods.find((one) => one !== 'GET' && one !== 'HEAD') ?? methods[0] ?? 'POST';
  // What has no body can only say it in the address.
  const inQuery = method === 'GET' || method === 'HEAD';
  const { mark, headers } = newTrace();
  return follow(client, workflow, [mark], patience, {
    method,
    path: `/webhook/${safePath(path)}`,
    headers,
    ...(inQuery ? { query: queryOf(data) } : { body: data ?? {} }),
  });
}

export async function runChat(
  client: N8nClient,
  workflow: Workflow,
  trigger: Trigger,
  data: unknown,
  patience: Patience,
): Promise<Started> {
  const body = chatMessage(data);
  const path = `/webhook/${encodeURIComponent(trigger.node.webhookId as string)}/chat`;
  // A session may be an old one, which other executions know too; then the message tells.
  const mark = [JSON.stringify(body.sessionId), JSON.stringify(body.chatInput)];
  return follow(client, workflow, mark, patience, { method: 'POST', path, body });
}

export async function runForm(
  client: N8nClient,
  workflow: Workflow,
  trigger: Trigger,
  data: unknown,
  patience: Patience,
): Promise<Started> {
  const path = formPath(trigger);
  if (path === undefined) throw new AppError('unsupported', `The form ${trigger.name} has no address.`);
  const body = formData(trigger, data ?? {});
  const { mark, headers } = newTrace();
  const address = `/${formRoot(trigger)}/${safePath(path)}`;
  return follow(client, workflow, [mark], patience, { method: 'POST', path: address, headers, body });
}

/** Calls it through the runner; the run that counts is that of the workflow itself. */
export async function runByRunner(
  client: N8nClient,
  workflow: Workflow,
  runner: Runner,
  data: unknown,
  patience: Patience,
): Promise<Started> {
  const { mark, headers } = newTrace();
  const started = await follow(client, runner.workflow, [mark], patience, {
    method: 'POST',
    path: `/webhook/${runner.path}`,
    headers: { ...runner.headers, ...headers },
    body: { workflowId: workflow.id, inputs: inputsOf(workflow, data) },
  });
  if (started.answer?.status === 403) {
    throw new AppError(
      'forbidden',
      `The workflow "${runner.workflow.name}" does not take our call: its credential was changed. Delete that workflow and the credential of the same name; create_runner: true makes them again.`,
    );
  }
  const id = started.execution && calledBy(started.execution);
  if (id === undefined) return started;
  return { ...started, execution: await client.executions.get(id, false, patience.signal) };
}

/** The runner hands over one item. */
function inputsOf({ name }: Workflow, data: unknown = {}): unknown {
  const [first, ...more] = itemsOf(data);
  if (first && more.length === 0) return first.json;
  throw new AppError(
    'invalid_input',
    `"${name}" is called with one item at a time: data is an object of its inputs. With a login to n8n, way "draft" takes a list.`,
  );
}

/** n8n tells it of the node when the call went well, of the item when it failed. */
function calledBy(execution: Execution): string | undefined {
  const run = runDataOf(execution)?.nodes.Run?.at(-1);
  const told = [
    run?.metadata,
    ...Object.values(run?.data ?? {})
      .flatMap((outputs) => (outputs ?? []).flat())
      .map((item) => item?.metadata),
  ];
  const ids = told.map(
    (one) => (one as { subExecution?: { executionId?: unknown } } | undefined)?.subExecution?.executionId,
  );
  return ids.find((id) => typeof id === 'string');
}

export async function runDraft(
  client: N8nClient,
  workflow: Workflow,
  trigger: Trigger,
  data: unknown,
  { signal }: Patience,
  upTo?: string,
): Promise<Started> {
  const id = await startDraft(client, workflow, trigger, { data, upTo, signal });
  return { execution: await begun(id, client.executions.get(id, false, signal)) };
}

async function follow(
  client: N8nClient,
  workflow: Workflow,
  mark: readonly string[],
  patience: Patience,
  call: {
    method: string;
    path: string;
    headers?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
  },
): Promise<Started> {
  const { signal, until } = patience;
  const after = await newestExecution(client, workflow.id, signal);
  const timeoutMs = Math.max(1000, until - Date.now());
  const answer = await ticking(`"${workflow.name}" is at work`, patience, () =>
    callWeb(client, { ...call, timeoutMs, signal, patienceMs: APPEARS_MS }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'timeout') return undefined;
      throw error;
    }),
  );
  if (answer && isUnregistered(answer)) throw notLive(workflow, answer);
  const kept = !answer || answer.status >= 400 || workflow.settings?.saveDataSuccessExecution !== 'none';
  const execution = await locate(client, workflow.id, {
    after,
    mark,
    until: Date.now() + (kept ? LOCATE_MS : GLANCE_MS),
    signal,
  });
  return { ...(execution && { execution }), ...(answer ? { answer } : { unanswered: true }) };
}

function notLive({ name, id }: Workflow, answer: RawAnswer): AppError {
  const { message } = bodyOf(answer) as { message: string };
  return new AppError(
    'unavailable',
    `"${name}" (${id}) is published, but n8n does not know its webhook: ${message} Publish it anew with n8n_deactivate_workflow and n8n_activate_workflow.`,
  );
}

function queryOf(data: unknown): Record<string, string> {
  if (data === undefined) return {};
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new AppError('invalid_input', 'This webhook takes GET, so data is an object that becomes the query.');
  }
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
