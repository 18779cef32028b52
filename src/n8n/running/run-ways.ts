import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution, Workflow } from '../client/shapes.ts';
import { itemsOf } from '../items.ts';
import type { Runner } from './runner/align-runner.ts';
import { EXECUTION_HEADER } from './runner/runner-workflow.ts';
import { callTrace } from './call-trace.ts';
import { chatMessage, startDraft } from './draft-run.ts';
import { formData } from './fill-form.ts';
import { locate, lookFor, newestExecution } from '../executions/locate.ts';
import { afterLoss, begun, isLostRun, lostRun } from '../executions/lost-run.ts';
import { findLost, findRunning } from '../executions/sought.ts';
import { formPath, formRoot, type Trigger, webhookMethods, webhookPath } from './triggers.ts';
import { type Patience, ticking, untilEnded } from '../executions/wait.ts';
import { bodyOf, type RawAnswer } from './web-answer.ts';
import { callWeb, isUnregistered, safePath } from './web-call.ts';

/** What came of setting a workflow going. */
export interface Started {
  /** Undefined when n8n kept nothing of it. */
  readonly execution?: Execution | undefined;
  readonly answer?: RawAnswer;
  /** It was still at work when patience ended. */
  readonly unanswered?: boolean;
  /** Why it failed, where the answer says so. */
  readonly failed?: string;
}

const APPEARS_MS = 5000;
const LOCATE_MS = 4000;
/** When nothing is kept, there is nothing to look for. */
const GLANCE_MS = 300;

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
  const { mark, headers } = callTrace();
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
  const { mark, headers } = callTrace();
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
  const { mark, headers } = callTrace();
  const sought = { workflow: workflow.id, runner: runner.workflow, mark, since: Date.now() };
  const { answer, lost } = await sent(client, workflow, patience, {
    method: 'POST',
    path: `/webhook/${runner.path}`,
    headers: { ...runner.headers, ...headers },
    body: { workflowId: workflow.id, inputs: inputsOf(workflow, data) },
  });
  if (lost) return foundAgain(client, workflow, patience, lost, (limit) => findLost(client, sought, limit));
  if (!answer) {
    const execution = await findRunning(client, sought, patience.signal);
    return { ...(execution && { execution }), unanswered: true };
  }
  if (answer.status === 403) {
    throw new AppError(
      'forbidden',
      'The workflow that Sluice generated in n8n to call others does not take our call: its credential was changed. `sluice bridge remove` takes it away, and create_runner: true makes it again.',
    );
  }
  if (isUnregistered(answer)) throw notLive({ ...workflow, id: runner.workflow, name: 'the generated runner' }, answer);
  const id = answer.headers.get(EXECUTION_HEADER) || undefined;
  const failed = failureIn(answer);
  if (id === undefined && failed !== undefined) {
    throw new AppError('conflict', `"${workflow.name}" (${workflow.id}) was not run: ${failed}`);
  }
  // A workflow may be set to keep nothing.
  const execution = id && (await client.executions.get(id, false, patience.signal).catch(() => undefined));
  return { ...(execution && { execution }), answer, ...(failed !== undefined && { failed }) };
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

/** Why the workflow failed that the runner has called: it answers with an item like any other, { error }. */
function failureIn(answer: RawAnswer): string | undefined {
  const body = bodyOf(answer);
  const [item] = (Array.isArray(body) && body.length === 1 ? body : []) as { error?: unknown }[];
  // An item that a workflow gives out may have such a key among others.
  if (!item || Object.keys(item).some((key) => !['error', 'message', 'details'].includes(key))) return undefined;
  const { error } = item;
  if (typeof error === 'string') return error;
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

export async function runDraft(
  client: N8nClient,
  workflow: Workflow,
  trigger: Trigger,
  data: unknown,
  patience: Patience,
  upTo?: string,
): Promise<Started> {
  const { signal, until } = patience;
  const id = await startDraft(client, workflow, trigger, { data, upTo, until, signal });
  return { execution: await begun(id, untilEnded(client, id, patience, true)) };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}

/** What n8n answers; nothing when patience ends first, and what went wrong when n8n goes away in the midst of it. */
function sent(
  client: N8nClient,
  { name }: Workflow,
  patience: Patience,
  call: Sent,
): Promise<{ answer?: RawAnswer; lost?: unknown }> {
  const { signal, until } = patience;
  const timeoutMs = Math.max(1000, until - Date.now());
  return ticking(`"${name}" is at work`, patience, async () => {
    try {
      return { answer: await callWeb(client, { ...call, timeoutMs, signal, patienceMs: APPEARS_MS }) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'timeout') return {};
      if (isLostRun(error)) return { lost: error };
      throw error;
    }
  });
}

/** The run that n8n went away from, once it is back. */
async function foundAgain(
  client: N8nClient,
  { id, name }: Workflow,
  patience: Patience,
  lost: unknown,
  look: (signal: AbortSignal) => Promise<Execution | undefined>,
): Promise<Started> {
  const after = await afterLoss(patience, look);
  if (after.state === 'found') return { execution: after.execution, unanswered: true };
  throw lostRun(client, { called: `"${name}"`, workflow: id }, after, lost);
}

async function follow(
  client: N8nClient,
  workflow: Workflow,
  mark: readonly string[],
  patience: Patience,
  call: Sent,
): Promise<Started> {
  const { signal } = patience;
  const after = await newestExecution(client, workflow.id, signal);
  const { answer, lost } = await sent(client, workflow, patience, call);
  if (lost) {
    return foundAgain(client, workflow, patience, lost, (limit) =>
      lookFor(client, workflow.id, { after, mark }, limit),
    );
  }
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
