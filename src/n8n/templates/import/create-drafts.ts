import { AppError, messageOf, toAppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import type { Progress } from '../../../kernel/progress.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Tag, Workflow } from '../../client/shapes.ts';
import type { Draft, Pointing } from '../../mapping/places.ts';
import { rewritten } from '../../mapping/rewritten.ts';
import { assignTags } from '../../tags/names.ts';
import type { N8nDeps } from '../../tool.ts';
import { writable } from '../../workflows/body.ts';
import type { WorkflowBody } from '../../client/workflows.ts';
import { insistent, isLost, onceBack } from '../../workflows/lost.ts';

/** A draft that is ready to be written. */
export interface Ready {
  readonly draft: Draft & { readonly name: string };
  /** The draft of this import that a place names. Its id is known once it exists. */
  linked(place: Pointing): number | undefined;
  readonly links: ReadonlySet<number>;
}

export interface Wish {
  readonly tags: readonly Tag[];
  readonly project?: string | undefined;
}

export interface Made {
  readonly workflow: Workflow;
  readonly backup: string;
  /** Why it has no description although the template has one. */
  readonly undescribed?: string | undefined;
}

/**
 * Creates the drafts and backs each up. Called workflows come first; where workflows call each other in a circle, the
 * references are added at the end. If anything fails, everything that was created is deleted again.
 */
export async function createDrafts(
  client: N8nClient,
  { backups }: Pick<N8nDeps, 'backups'>,
  drafts: readonly Ready[],
  { tags, project }: Wish,
  signal: AbortSignal,
  progress: Progress,
): Promise<Made[]> {
  const made = new Map<number, Workflow>();
  const undescribed = new Map<number, string>();
  const pointed = (index: number) => {
    const { draft, linked } = drafts[index] as Ready;
    return rewritten(draft, (place) => {
      const to = linked(place);
      if (to === undefined) return undefined;
      const target = made.get(to);
      return target ? { id: target.id, name: target.name } : 'none';
    });
  };
  let now = 0;
  let isCreating = true;
  try {
    for (const index of calledFirst(drafts)) {
      now = index;
      // Cancelling between two drafts removes those that exist. Never cancel a request: nobody would know what it did.
      if (signal.aborted) throw new AppError('cancelled', 'The call was cancelled.');
      const { description: _, ...body } = writable(pointed(index));
      made.set(index, await created(client, { ...body, ...(project !== undefined && { projectId: project }) }));
      progress(made.size, drafts.length, `created "${shown(body.name)}"`);
    }
    isCreating = false;
    for (const [index, { id }] of made) {
      now = index;
      const { draft, links } = drafts[index] as Ready;
      if (typeof draft.description !== 'string' && !isCircular(index, links, made)) continue;
      const body = writable(pointed(index));
      const { workflow, publishRefused } = await client.turns.take(id, () => client.workflows.update(id, body, false));
      made.set(index, workflow);
      // A key may create workflows, but not update them. Nobody gives up a workflow for its description.
      if (publishRefused && workflow.description !== body.description) undescribed.set(index, publishRefused.message);
    }
    const done: Made[] = [];
    for (let index = 0; index < drafts.length; index++) {
      now = index;
      const created = made.get(index) as Workflow;
      const workflow = tags.length > 0 ? { ...created, tags: await assignTags(client, created.id, tags) } : created;
      const backup = await backups.keep(client.name, workflow, 'asked');
      done.push({ workflow, backup, undescribed: undescribed.get(index) });
    }
    return done;
  } catch (error) {
    throw await undone(client, [...made.values()], drafts, { index: now, isCreating }, error);
  }
}

/** Creates a workflow. If the answer is lost, looks for it: its nodes have ids that nobody else has. */
async function created(client: N8nClient, body: WorkflowBody): Promise<Workflow> {
  try {
    return await client.workflows.create(body);
  } catch (error) {
    const [first] = body.nodes;
    if (!isLost(error) || error.code === 'internal' || first?.id === undefined) throw error;
    const isOurs = ({ nodes }: Workflow) => nodes.some(({ id }) => id === first.id);
    const found = await onceBack(() => Array.fromAsync(client.workflows.all({ name: body.name }))).catch(() => []);
    const ours = found.find(isOurs);
    if (!ours) throw error;
    return ours;
  }
}

/** Whether it names a draft that was created after it, or itself. */
function isCircular(index: number, links: ReadonlySet<number>, made: ReadonlyMap<number, unknown>): boolean {
  const order = [...made.keys()];
  return [...links].some((to) => order.indexOf(to) >= order.indexOf(index));
}

/** Every draft after those that it calls, as far as circles allow. */
function calledFirst(drafts: readonly Ready[]): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  const visit = (index: number): void => {
    if (seen.has(index)) return;
    seen.add(index);
    for (const to of (drafts[index] as Ready).links) visit(to);
    order.push(index);
  };
  drafts.forEach((_, index) => visit(index));
  return order;
}

/** Deletes what was created. Returns the error to throw: where it stopped, and what is left. */
async function undone(
  client: N8nClient,
  made: readonly Workflow[],
  drafts: readonly Ready[],
  at: { readonly index: number; readonly isCreating: boolean },
  error: unknown,
): Promise<AppError> {
  const left: string[] = [];
  const why: string[] = [];
  for (const { id, name } of made.toReversed()) {
    // Wait for n8n once, not for each of them.
    const remove = () => client.workflows.delete(id);
    await (left.length > 0 ? remove() : insistent(remove)).catch((failure: unknown) => {
      if (failure instanceof AppError && failure.code === 'not_found') return;
      left.push(id);
      why.push(`"${shown(name)}" (${id}): ${shown(messageOf(failure), 150)}`);
    });
  }
  const { code, message, data } = toAppError(error);
  const { name } = (drafts[at.index] as Ready).draft;
  const where =
    drafts.length > 1 ? ` at "${shown(name)}", ${made.length} of ${drafts.length} workflows were created` : '';
  const state =
    left.length > 0
      ? `These could not be deleted again; delete them with n8n_delete_workflow: ${why.join('; ')}.`
      : 'Nothing is left of it.';
  const isUnsure = at.isCreating && isLost(error) && error.code !== 'internal';
  const unsure = isUnsure ? ` n8n may still have created "${shown(name)}": look for it with n8n_list_workflows.` : '';
  return new AppError(code, `The import stopped${where}: ${message} ${state}${unsure}`, {
    cause: error,
    data: { ...data, ...(left.length > 0 && { left }) },
  });
}
