import { z } from 'zod';
import type { Item } from '../project.ts';
import type { Ask } from '../status/asking.ts';
import type { Seen } from '../status/seen.ts';
import { defaultCheck } from './default-check.ts';

const workflow = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  archived: z.boolean().optional(),
});
const executions = z.object({
  executions: z.array(z.object({ id: z.string(), status: z.string(), started: z.string().optional() })),
});

/** Ids of n8n are numbers or of this length. Anything else is a name, and a name may look like an id. */
const isId = (name: string): boolean => /^(?:\d{1,10}|[A-Za-z0-9_-]{16}|[A-Za-z0-9_-]{21})$/.test(name);

const at = ({ instance }: Item) => ({ ...(instance !== undefined && { instance }) });

const byName = (item: Item) => ({ name: item.name, limit: 250, ...at(item) });

/** By id or by name: whether it is published, and how its last run ended. */
export const workflowCheck = defaultCheck({
  kind: 'workflow',
  absent: () => ({ seen: 'no n8n is connected', next: 'Configure n8n in sluice.yaml.' }),
  tool: ({ name }) => (isId(name) ? 'n8n_get_workflow' : 'n8n_list_workflows'),
  arguments: (item) => (isId(item.name) ? { id: item.name, ...at(item) } : byName(item)),
  otherwise: (item) => ({ tool: 'n8n_list_workflows', arguments: byName(item) }),
  answer: z.union([
    z.object({ workflow }).transform((one) => [one.workflow]),
    z.object({ workflows: z.array(workflow) }).transform((all) => all.workflows),
  ]),
  async read(found, item, ask) {
    const fits = found.filter(({ id, name }) => id === item.name || name === item.name);
    const [only, second] = fits;
    if (!only)
      return {
        state: 'failing',
        seen: 'no workflow has this name, or it is archived',
        next: 'n8n_list_workflows shows the workflows; add the right one by its id.',
      };
    if (second)
      return {
        state: 'unknown',
        seen: `${fits.length} workflows have this name`,
        next: `Add it by its id, for example ${only.id}.`,
      };
    if (only.archived) return { state: 'failing', seen: 'archived', next: 'Restore it, or remove the item.' };
    if (!only.active)
      return { state: 'warning', seen: 'not published', next: `n8n_publish_workflow publishes it: id ${only.id}.` };
    return await lastRun(only.id, item, ask);
  },
});

async function lastRun(id: string, item: Item, ask: Ask): Promise<Seen> {
  const answer = await ask('n8n_list_executions', { workflow: id, limit: 1, ...at(item) });
  const read = answer.kind === 'data' ? executions.safeParse(answer.data) : undefined;
  if (!read?.success) return { state: 'ok', seen: 'published; its runs cannot be seen' };
  const [last] = read.data.executions;
  if (!last) return { state: 'ok', seen: 'published; no runs yet' };
  const seen = `published; last run: ${last.status}${last.started === undefined ? '' : ` (${last.started})`}`;
  return ['error', 'crashed'].includes(last.status)
    ? { state: 'failing', seen, next: `n8n_get_execution shows why: id ${last.id}.` }
    : { state: 'ok', seen };
}
