import { setTimeout as delay } from 'node:timers/promises';
import { own } from '../../kernel/own.ts';
import type { Json } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Act, Acted, Acting, Call } from './act.ts';
import { contextOf } from './context.ts';
import { actedFrom } from './outcome.ts';
import { untilBack } from './until-back.ts';
import { bodyIn } from './web-body.ts';

/** How long one call waits for the end of an execution; then another one goes on waiting. */
const LONGEST_WAIT_S = 900;
const MARGIN_S = 0.5;
/** How long n8n may be away while a workflow runs. */
const AWAY_MS = 300_000;
const LOOK_MS = 1000;
const MOST_KB = 500;
const MOST_CANDIDATES = 250;
const FORM = 'n8n-nodes-base.formTrigger';

/** Runs a workflow of n8n and waits for its end. The result is its last item, or the list of its last items. */
export const runWorkflow: Act<'workflow'> = async ({ workflow, instance, input }, acting, { call }) => {
  const n8n = callsTo(call, acting, instance);
  const found = await idOf(n8n, workflow, acting);
  if ('error' in found) return found;
  const until = Date.now() + acting.timeoutMs;
  // Ends a little before the step does, which can only say that it took too long.
  const seconds = () => Math.min(LONGEST_WAIT_S, Math.max(1, Math.floor((until - Date.now()) / 1000 - MARGIN_S)));
  const begun = (data: Json) =>
    untilBack(acting, 'change', () =>
      n8n('n8n_execute_workflow', { id: found.id, data, wait_seconds: seconds(), create_runner: true }),
    );
  let last = await begun({ ...input, idempotency_key: acting.key });
  // A form takes only its own fields. It was refused before it was sent.
  if ('error' in last && last.final && (await hasForm(n8n, found.id))) last = await begun(input);
  const execution = 'error' in last ? last.execution : textOf(last.result, 'execution');
  if (execution !== undefined) {
    let answeredAt = Date.now();
    while ('error' in last || isUnfinished(statusOf(last.result))) {
      const isOver = until - Date.now() < (MARGIN_S + 1) * 1000 || acting.signal.aborted;
      if ('error' in last) {
        if (isOver || last.final || Date.now() - answeredAt > AWAY_MS) return { ...last, unsure: true };
        // n8n restarts. It knows afterwards what became of the execution, which may even go on.
        await delay(LOOK_MS, undefined, { signal: acting.signal }).catch(() => {});
      } else if (isOver)
        return {
          error: `Execution ${execution} of the workflow has not ended in time. It continues in n8n.`,
          unsure: true,
        };
      else answeredAt = Date.now();
      last = await n8n('n8n_get_execution', { id: execution, wait_seconds: seconds() });
    }
  }
  if ('error' in last) return last;
  const status = statusOf(last.result);
  if (isUnfinished(status))
    return { error: 'The workflow has not answered in time. It continues in n8n.', unsure: true };
  // n8n died meanwhile: nobody knows how far it came.
  if (status !== 'success') return { error: failureIn(last.result, execution, status), unsure: status === 'crashed' };
  const output = await outputOf(n8n, last.result, execution);
  return 'error' in output ? output : { ...output, ...(execution !== undefined && { execution }) };
};

type N8n = (tool: string, args: Json) => Promise<Acted>;

const callsTo =
  (call: Call, acting: Acting, instance: string | undefined): N8n =>
  async (tool, args) =>
    actedFrom(await call(tool, { ...args, ...(instance !== undefined && { instance }) }, contextOf(acting)));

/** The id of a workflow that is named by id or by name. */
async function idOf(
  n8n: N8n,
  wanted: string,
  acting: Acting,
): Promise<{ id: string } | Extract<Acted, { error: string }>> {
  const query = { name: wanted, limit: MOST_CANDIDATES, include_generated: true };
  const listed = await untilBack(acting, 'read', () => n8n('n8n_list_workflows', query));
  if ('error' in listed) return listed;
  const workflows = (isObject(listed.result) ? (listed.result.workflows as unknown[]) : []).filter(isObject);
  const named = workflows.filter(({ name }) => name === wanted);
  if (named.length > 1)
    return {
      error: `${named.length} workflows are called "${wanted}" (${named.map(({ id }) => String(id)).join(', ')}). Name one by its id.`,
      final: true,
    };
  return { id: named.length === 1 ? String(named[0]?.id) : wanted };
}

async function hasForm(n8n: N8n, id: string): Promise<boolean> {
  const found = await n8n('n8n_get_workflow', { id });
  const nodes: unknown = 'result' in found && isObject(found.result) ? found.result.nodes : [];
  return Array.isArray(nodes) && nodes.some((node) => isObject(node) && node.type === FORM);
}

/** The items of the last node. Only how many there are if they are too large: shortened data would look like real ones. */
async function outputOf(n8n: N8n, result: unknown, execution: string | undefined): Promise<Acted> {
  const node = textOf(result, 'last_node');
  if (execution === undefined || node === undefined) return { result: answerIn(result) };
  const output = Number.parseInt(textOf(result, 'output') ?? '', 10);
  const read = await n8n('n8n_get_execution', {
    id: execution,
    node,
    max_kb: MOST_KB,
    ...(output >= 0 && { output }),
  });
  if ('error' in read)
    return {
      error: `The workflow succeeded (execution ${execution}), but its result cannot be read: ${read.error}`,
      unsure: true,
    };
  const data = isObject(read.result) && isObject(read.result.node) ? read.result.node : {};
  if (data.cut === true) return { result: { too_large: true, items: data.total, execution } };
  return { result: one(Array.isArray(data.items) ? data.items : []) };
}

/** n8n kept no data of it: then the answer of its webhook is all that is known. */
function answerIn(result: unknown): unknown {
  const answer = isObject(result) && isObject(result.answer) ? result.answer : {};
  return bodyIn(answer);
}

const one = (items: readonly unknown[]): unknown => (items.length === 1 ? items[0] : items);

const statusOf = (result: unknown): string => textOf(result, 'status') ?? 'unknown';

const isUnfinished = (status: string): boolean => ['running', 'new', 'waiting'].includes(status);

function textOf(value: unknown, key: string): string | undefined {
  const found = isObject(value) ? own(value, key) : undefined;
  return typeof found === 'string' ? found : undefined;
}

function failureIn(result: unknown, execution: string | undefined, status: string): string {
  const error = isObject(result) && isObject(result.error) ? result.error : undefined;
  const where = textOf(error, 'node');
  const why = textOf(error, 'message') ?? textOf(result, 'note') ?? '';
  return `The workflow ended with ${status}${execution === undefined ? '' : ` (execution ${execution})`}${where === undefined ? '' : ` at "${where}"`}${why === '' ? '.' : `: ${why}`}`;
}
