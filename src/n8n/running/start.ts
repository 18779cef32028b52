import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Execution, Workflow } from '../client/shapes.ts';
import { locate, lookFor, newestExecution } from '../executions/locate.ts';
import { afterLoss, begun, isLostRun, lostRun } from '../executions/lost-run.ts';
import { findLost, findRunning } from '../executions/sought.ts';
import { type Patience, ticking, untilEnded } from '../executions/wait.ts';
import { callTrace, type CallTrace } from './call-trace.ts';
import { startDraft } from './draft-run.ts';
import { RUNNER_REFUSES, unregistered } from './refusals.ts';
import type { Runner } from './runner/align-runner.ts';
import { executionIn, failureIn } from './runner/runner-answer.ts';
import type { Trigger } from './triggers.ts';
import type { Outside, Starting } from './way.ts';
import { bodyOf, type RawAnswer } from './web-answer.ts';
import { callWeb, isUnregistered } from './web-call.ts';
import type { WebRequest } from './web-request.ts';

/** What is known after a workflow was started. */
export interface Started {
  /** Undefined if n8n kept no execution. */
  readonly execution?: Execution | undefined;
  readonly answer?: RawAnswer;
  /** It was still running when the time was up. */
  readonly unanswered?: boolean;
  /** Why it failed, if the answer says so. */
  readonly failed?: string;
}

const APPEARS_MS = 5000;
const LOCATE_MS = 4000;
/** For workflows that keep no executions. */
const GLANCE_MS = 300;

/** Starts the published version. `runnerFor` is called only if the trigger needs the runner. */
export async function startPublished(
  client: N8nClient,
  workflow: Workflow,
  { node, way }: Trigger,
  data: unknown,
  patience: Patience,
  runnerFor: () => Promise<Runner>,
): Promise<Started> {
  const { needsRunner, request } = way.outside as Outside;
  const runner = needsRunner && (await runnerFor());
  const starting = request(node, data, { workflow, runner: () => runner as Runner });
  return runner
    ? throughRunner(client, workflow, runner, starting, patience)
    : follow(client, workflow, starting, patience);
}

/** The runner names the execution of the called workflow in its answer. */
async function throughRunner(
  client: N8nClient,
  workflow: Workflow,
  runner: Runner,
  request: WebRequest,
  patience: Patience,
): Promise<Started> {
  const { mark, headers } = callTrace();
  const sought = { workflow: workflow.id, runner: runner.workflow, mark, since: Date.now() };
  const { answer, lost } = await sent(client, workflow, patience, request, headers);
  if (lost) return foundAgain(client, workflow, patience, lost, (limit) => findLost(client, sought, limit));
  if (!answer) {
    const execution = await findRunning(client, sought, patience.signal);
    return { ...(execution && { execution }), unanswered: true };
  }
  if (answer.status === 403) {
    throw new AppError(
      'forbidden',
      `${RUNNER_REFUSES} \`sluice bridge remove\` deletes it; create_runner: true creates it again.`,
    );
  }
  if (isUnregistered(answer)) throw notLive({ ...workflow, id: runner.workflow, name: 'the generated runner' }, answer);
  const id = executionIn(answer);
  const failed = failureIn(answer);
  if (id === undefined && failed !== undefined) {
    throw new AppError('conflict', `"${workflow.name}" (${workflow.id}) was not run: ${failed}`);
  }
  // A workflow may be set to keep nothing.
  const execution = id && (await client.executions.get(id, false, patience.signal).catch(() => undefined));
  return { ...(execution && { execution }), answer, ...(failed !== undefined && { failed }) };
}

/** Starts the saved version. */
export async function startSaved(
  client: N8nClient,
  workflow: Workflow,
  trigger: Trigger,
  data: unknown,
  patience: Patience,
): Promise<Started> {
  const { signal, until } = patience;
  const id = await startDraft(client, workflow, trigger, { data, until, signal });
  return { execution: await begun(id, untilEnded(client, id, patience, true)) };
}

/** The answer; nothing if the time is up first; the error if n8n goes away in the middle of the call. */
function sent(
  client: N8nClient,
  { name }: Workflow,
  patience: Patience,
  request: WebRequest,
  trace: CallTrace['headers'],
): Promise<{ answer?: RawAnswer; lost?: unknown }> {
  const { signal, until } = patience;
  const timeoutMs = Math.max(1000, until - Date.now());
  return ticking(`"${name}" is running`, patience, async () => {
    try {
      const traced = { ...request, headers: { ...request.headers, ...trace } };
      return { answer: await callWeb(client, traced, { timeoutMs, signal, appearsMs: APPEARS_MS }) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'timeout') return {};
      if (isLostRun(error)) return { lost: error };
      throw error;
    }
  });
}

/** Finds the run that n8n went away from, once n8n is back. */
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

/** n8n does not name the execution in its answer, so it is found by its marks. */
async function follow(
  client: N8nClient,
  workflow: Workflow,
  { marks, ...request }: Starting,
  patience: Patience,
): Promise<Started> {
  const { signal } = patience;
  const trace = callTrace();
  const mark = marks ?? [trace.mark];
  const after = await newestExecution(client, workflow.id, signal);
  const { answer, lost } = await sent(client, workflow, patience, request, marks ? {} : trace.headers);
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
  return new AppError('unavailable', unregistered(`"${name}" (${id})`, message));
}
