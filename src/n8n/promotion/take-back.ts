import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { restoreWorkflow } from '../backups/restore.ts';
import { isNotAllowed } from '../credentials/known-credentials.ts';
import type { N8nDeps } from '../tool.ts';
import { insistent } from '../workflows/lost.ts';
import { contentHash } from './compose.ts';
import type { LinkKind } from './link.ts';
import type { JournalStep } from './records.ts';
import { isMadeBy, type Step, stepText, tagNames } from './step.ts';

export interface TakenBack {
  readonly done: readonly string[];
  readonly failed: readonly string[];
}

type Deps = Pick<N8nDeps, 'backups' | 'promotions'> & { readonly client: N8nClient };

/** Undoes the steps of a promotion, the last first. What fails is reported, and stays in the journal. */
export async function takeBack(
  deps: Deps,
  promotion: { readonly id: string; readonly from: string },
  steps: readonly JournalStep[],
  /** Give up what cannot be undone, for example because its backup is gone. */
  givesUp = false,
): Promise<TakenBack> {
  const done: string[] = [];
  const failed: string[] = [];
  const created = new Set(steps.flatMap(({ step }) => (step.kind === 'create' ? (step.id ?? []) : [])));
  let away = false;
  for (const entry of steps.toReversed()) {
    const { step, state, number } = entry;
    if (state === 'undone') continue;
    if (away) {
      failed.push(stepText(step));
      continue;
    }
    try {
      // A workflow that is deleted anyway need not be unpublished first.
      if (step.kind !== 'publish' || !created.has(step.id)) {
        await undo(deps, step, state);
        done.push(stepText(step));
      }
      await unlink(deps, promotion.from, step);
      await deps.promotions.putStep(promotion.id, { number, state: 'undone', step });
    } catch (error) {
      failed.push(`${stepText(step)} (${messageOf(error)})`);
      away = error instanceof AppError && (error.code === 'unavailable' || error.code === 'timeout');
      if (givesUp && !away) await deps.promotions.putStep(promotion.id, { number, state: 'undone', step });
    }
  }
  return { done, failed };
}

async function undo(deps: Deps, step: Step, state: JournalStep['state']): Promise<void> {
  const { client } = deps;
  switch (step.kind) {
    case 'tag': {
      const ids = step.id === undefined ? await idsNamed(client.tags.all(), step.name) : [step.id];
      for (const id of ids) await gone(() => client.tags.delete(id));
      return;
    }
    case 'data table': {
      const ids = step.id === undefined ? await idsNamed(client.dataTables.all(), step.name) : [step.id];
      for (const id of ids) await undoTable(deps, id);
      return;
    }
    case 'credential':
      return gone(() => client.credentials.delete(step.id));
    case 'create':
      return undoCreate(deps, step);
    case 'update':
      return undoUpdate(deps, step, state);
    case 'publish':
      return undoPublish(deps, step);
  }
}

async function undoTable({ client, backups }: Deps, id: string): Promise<void> {
  try {
    const { items } = await client.dataTables.page(id, { limit: 1 });
    // Somebody wants to delete them with the table.
    if (items.length > 0) {
      await backups.keepTable(client.name, await client.dataTables.get(id), client.dataTables.rows(id), 'table');
    }
  } catch (error) {
    // An undo without "overwrite" has refused before if the key may not read rows.
    if (!isNotAllowed(error) && !isMissing(error)) throw error;
  }
  await gone(() => client.dataTables.delete(id));
}

async function undoCreate({ client, backups }: Deps, step: Step & { kind: 'create' }): Promise<void> {
  const id = step.id ?? (await lostWorkflow(client, step));
  if (id === undefined) return;
  await client.turns.take(id, async () => {
    const now = await unlessMissing(() => client.workflows.get(id));
    if (!now) return;
    // Somebody may have changed it since, and wants to overwrite that.
    if (contentHash(now) !== step.written) await backups.keep(client.name, now, 'delete');
    await gone(() => client.workflows.delete(id));
  });
}

/** The workflow whose creation was announced, if n8n created it: the answer may have been lost. */
async function lostWorkflow(client: N8nClient, step: Step & { kind: 'create' }): Promise<string | undefined> {
  const found = (await Array.fromAsync(client.workflows.all({ name: step.name }))).filter((one) => isMadeBy(step, one));
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new AppError('conflict', `there are ${found.length} of this name: ${ids}. Delete the right one`);
  }
  return found[0]?.id;
}

async function undoUpdate(
  { client, backups }: Deps,
  step: Step & { kind: 'update' },
  state: JournalStep['state'],
): Promise<void> {
  const backup = await backups.read(step.backup);
  const { content } = backup;
  const signal = new AbortController().signal;
  const before = await unlessMissing(() => client.workflows.get(step.id));
  const isAsBefore =
    before &&
    contentHash(before) === step.content &&
    sameTags(before, content) &&
    before.description === content.description;
  if (!isAsBefore || state === 'done') {
    await restoreWorkflow(client, backups, backup, { copy: false, publish: false }, signal);
  }
  await publishedAs({ client, backups }, step.id, content.active, content.activeVersionId ?? undefined, () =>
    restoreWorkflow(client, backups, backup, { copy: false, publish: true }, signal),
  );
}

const sameTags = (one: Workflow, other: Workflow): boolean =>
  JSON.stringify(tagNames(one)) === JSON.stringify(tagNames(other));

async function undoPublish(deps: Deps, { id, wasActive, versionBefore }: Step & { kind: 'publish' }): Promise<void> {
  await deps.client.turns.take(id, () =>
    publishedAs(deps, id, wasActive, versionBefore, () => {
      throw new AppError('not_found', 'n8n no longer has the version that was live');
    }),
  );
}

/** Makes the version live that was live before, or none. `otherwise` runs if n8n has deleted that version. */
async function publishedAs(
  { client }: Pick<Deps, 'client' | 'backups'>,
  id: string,
  active: boolean,
  version: string | undefined,
  otherwise: () => Promise<unknown>,
): Promise<void> {
  const now = await unlessMissing(() => client.workflows.get(id));
  if (!now) return;
  if (!active) {
    if (now.active) await insistent(() => client.workflows.unpublish(id));
    return;
  }
  if (now.active && now.activeVersionId === version) return;
  try {
    await insistent(() => client.workflows.publish(id, undefined, version));
  } catch (error) {
    if (!(error instanceof AppError) || !['not_found', 'invalid_input'].includes(error.code)) throw error;
    await otherwise();
  }
}

/** The entry of the mapping as it was before. */
async function unlink({ promotions, client }: Deps, from: string, step: Step): Promise<void> {
  if (step.kind === 'tag' || step.kind === 'publish') return;
  const kind: LinkKind = step.kind === 'create' || step.kind === 'update' ? 'workflow' : step.kind;
  const before = 'linkBefore' in step ? step.linkBefore : undefined;
  if (before) await promotions.putLinks(from, client.name, [before]);
  else await promotions.deleteLink(from, client.name, kind, step.source);
}

async function idsNamed(list: AsyncIterable<{ id: string; name: string }>, name: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const one of list) if (one.name === name) ids.push(one.id);
  return ids;
}

async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found';

/** Deletes something that may be gone already. */
async function gone(remove: () => Promise<unknown>): Promise<void> {
  await unlessMissing(() => insistent(remove));
}
