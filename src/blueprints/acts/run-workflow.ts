import type { Json } from '../../kernel/source.ts';
import { own } from '../../kernel/own.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Act, Acted, Acting, Call } from './act.ts';
import { contextOf } from './context.ts';
import { actedFrom } from './outcome.ts';

/** How long one call waits for the end of an execution; then another one goes on waiting. */
const LONGEST_WAIT_S = 900;
const MOST_KB = 500;
const MOST_CANDIDATES = 250;

/** Runs a workflow of n8n and waits for its end. The result is its last item, or the list of its last items. */
export const runWorkflow: Act<'workflow'> = async ({ workflow, instance, input }, acting, { call }) => {
  const n8n = callsTo(call, acting, instance);
  const found = await idOf(n8n, workflow);
  if ('error' in found) return found;
  const until = Date.now() + acting.timeoutMs;
  const seconds = () => Math.min(LONGEST_WAIT_S, Math.max(1, Math.ceil((until - Date.now()) / 1000)));
  const data = { ...input, idempotency_key: acting.key };
  let last = await n8n('n8n_execute_workflow', { id: found.id, data, wait_seconds: seconds(), create_runner: true });
  if ('error' in last) return last;
  const execution = textOf(last.result, 'execution');
  while (execution !== undefined && isUnfinished(statusOf(last.result))) {
    if (Date.now() >= until || acting.signal.aborted)
      return { error: `Execution ${execution} of the workflow has not ended in time. It continues in n8n.` };
    last = await n8n('n8n_get_execution', { id: execution, wait_seconds: seconds() });
    if ('error' in last) return last;
  }
  const status = statusOf(last.result);
  if (status !== 'success') return { error: failureIn(last.result, execution, status) };
  return { result: await outputOf(n8n, last.result, execution), ...(execution !== undefined && { execution }) };
};

type N8n = (tool: string, args: Json) => Promise<Acted>;

const callsTo =
  (call: Call, acting: Acting, instance: string | undefined): N8n =>
  async (tool, args) =>
    actedFrom(await call(tool, { ...args, ...(instance !== undefined && { instance }) }, contextOf(acting)));

/** The id of a workflow that is named by id or by name. */
async function idOf(n8n: N8n, wanted: string): Promise<{ id: string } | Extract<Acted, { error: string }>> {
  const listed = await n8n('n8n_list_workflows', { name: wanted, limit: MOST_CANDIDATES, include_generated: true });
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

/** The items of the last node, whole if they are not too large. */
async function outputOf(n8n: N8n, result: unknown, execution: string | undefined): Promise<unknown> {
  const node = textOf(result, 'last_node');
  const shown = isObject(result) && Array.isArray(result.data) ? result.data : [];
  if (execution === undefined || node === undefined) return one(shown);
  const whole = await n8n('n8n_get_execution', { id: execution, node, max_kb: MOST_KB });
  const items =
    'result' in whole && isObject(whole.result) && isObject(whole.result.node) ? whole.result.node.items : undefined;
  return one(Array.isArray(items) ? items : shown);
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
