import { AppError } from '../../kernel/errors.ts';
import type { Health } from '../../kernel/health.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import { chosenInstance } from '../../nodes/which-n8n.ts';
import type { Workflow } from '../client/shapes.ts';
import type { listCredentials } from '../credentials/list-credentials.ts';
import type { CredentialSummary } from '../credentials/summary.ts';
import type { getWorkflow } from '../workflows/get-workflow.ts';
import type { listWorkflows } from '../workflows/list-workflows.ts';
import type { WorkflowSummary } from '../workflows/summary.ts';

/** Calls a tool of the gateway. */
export type Call = <T>(tool: string, args: Json) => Promise<T>;

/** An n8n behind the gateway. Rights, backups and events are those of its tools. */
export interface Remote {
  readonly instance: string;
  /** By id, without archived ones and those that Sluice generated. */
  readonly workflows: ReadonlyMap<string, WorkflowSummary>;
  readonly credentials: readonly CredentialSummary[];
  read(id: string): Promise<{ readonly workflow: Workflow } | { readonly problem: string }>;
  archived(): Promise<ReadonlySet<string>>;
  call: Call;
}

const PAGE = 250;
/** What n8n_get_workflow returns at most. */
const LARGEST = 5_000_000;

/** The name of the n8n in the configuration, also if nobody gave one. */
export async function instanceName(call: Call, wanted: string | undefined): Promise<string> {
  const { parts } = await call<{ parts: readonly Health[] }>('gateway_status', {});
  const names = parts.filter(({ kind }) => kind === 'n8n').map(({ name }) => name.replace(/^n8n /, ''));
  // If there is none, the first call of a tool says how to connect one.
  return names.length === 0 ? (wanted ?? 'default') : chosenInstance(names, wanted);
}

/** `known` are ids of workflows that it had. */
export async function openRemote(callAny: Call, instance: string, known: Iterable<string> = []): Promise<Remote> {
  const call: Call = (tool, args) => callAny(tool, { instance, ...args });
  const list = async (filter: Json) => {
    const found = await pages<OutputOf<typeof listWorkflows>>(call, 'n8n_list_workflows', filter);
    return found.flatMap(({ workflows }) => workflows);
  };
  const workflows = new Map((await list({})).map((one) => [one.id, one]));
  const credentials = await pages<OutputOf<typeof listCredentials>>(call, 'n8n_list_credentials', {});
  const get = (id: string, more: Json) => call<OutputOf<typeof getWorkflow>>('n8n_get_workflow', { id, ...more });
  const ids = [...known];
  // n8n counts its pages: if a workflow is deleted meanwhile, the list misses another one. If n8n has none of them, it is
  // another n8n.
  for (const id of ids.some((one) => workflows.has(one)) ? ids.filter((one) => !workflows.has(one)) : []) {
    const missed = await get(id, {}).catch(unlessAway);
    if (missed && !missed.workflow.archived) workflows.set(id, missed.workflow);
  }
  return {
    instance,
    workflows,
    credentials: credentials.flatMap((page) => page.credentials),
    call,
    async read(id) {
      const { full, more } = await get(id, { detail: 'full', max_bytes: LARGEST });
      // The gateway has already checked it.
      return full ? { workflow: full as unknown as Workflow } : { problem: more ?? 'n8n gave no workflow.' };
    },
    archived: async () => new Set((await list({ archived: true })).map(({ id }) => id)),
  };
}

/** n8n does not have it, or this key may not see it. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'cancelled') throw error;
}

async function pages<T extends { cursor?: string | undefined }>(call: Call, tool: string, filter: Json): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page: T = await call<T>(tool, { ...filter, limit: PAGE, ...(cursor !== undefined && { cursor }) });
    found.push(page);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return found;
}

/** Does the work for all, a few at a time. The first error ends it. */
export async function fewAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
  onDone: (count: number) => void,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let done = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T);
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
