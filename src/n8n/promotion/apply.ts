import { AppError, toAppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import { quoted } from '../../kernel/some-of.ts';
import type { N8nDeps } from '../tool.ts';
import { detailReader } from './details.ts';
import { openJournal } from './journal.ts';
import { movedOn } from './judge.ts';
import { keepLinks } from './keep-links.ts';
import type { Plan, Planned } from './plan.ts';
import type { About } from './records.ts';
import type { Shell } from './shells.ts';
import { takeBack, type TakenBack } from './take-back.ts';
import { createWriter, type Written } from './write.ts';

export interface Applied {
  readonly id: string;
  readonly written: ReadonlyMap<string, Written>;
  readonly notes: readonly string[];
}

const MOST_NAMES = 20;

/** Carries out a plan. If anything fails, takes back what was done and throws. */
export async function applyPlan(
  plan: Plan,
  shells: readonly Shell[],
  /** What had happened last on the target when the plan was checked. */
  last: string,
  deps: N8nDeps,
  signal: AbortSignal,
  progress: Progress,
): Promise<Applied> {
  const { source, target } = plan;
  const { client } = target;
  return client.turns.take('promotion', async () => {
    const complete = await completed(plan, signal);
    signal.throwIfAborted();
    const about = aboutOf(complete);
    const id = await deps.promotions.begin(source.client.name, client.name, about, last);
    const journal = openJournal(deps.promotions, id);
    let where = 'before its first change';
    const told: Progress = (done, total, what) => {
      where = `at step ${done} of ${total} (${what})`;
      progress(done, total, what);
    };
    try {
      const { written, made, notes } = await write(
        { ...plan, workflows: complete },
        shells,
        deps,
        journal,
        signal,
        told,
      );
      await keepLinks({ ...plan, workflows: complete }, made, written, deps.promotions);
      await deps.promotions.end(id, 'done');
      return { id, written, notes };
    } catch (thrown) {
      const taken = await takeBack(
        { client, backups: deps.backups, promotions: deps.promotions },
        { id, from: source.client.name },
        journal.steps(),
      );
      const cause = signal.aborted ? new AppError('cancelled', 'The call was cancelled.') : toAppError(thrown);
      const state = taken.failed.length > 0 ? 'half done' : 'rolled back';
      // If the store is the problem, the journal says enough.
      await deps.promotions.end(id, state, { ...about, stopped: cause.message.slice(0, 500) }).catch(() => {});
      throw stopped(id, client.name, cause, where, taken);
    }
  });
}

/** Adds what n8n's list leaves out. All of the source is read before anything is written. */
async function completed(plan: Plan, signal: AbortSignal): Promise<Planned[]> {
  const read = detailReader(plan.source.client, plan.target.client, signal);
  return Promise.all(
    plan.workflows.map(async (one) => {
      if (one.detailed || one.action === 'unchanged') return one;
      const from = await read.source(one.source.id);
      if (from.versionId !== one.source.versionId) throw movedOn(one.source.name, plan.source);
      return { ...one, source: { ...one.source, ...from }, detailed: true };
    }),
  );
}

const stepsOf = (workflows: readonly Planned[], { creates }: Plan): number =>
  creates.tags.length +
  creates.tables.length +
  creates.credentials.length +
  workflows.filter(({ action }) => action === 'create' || action === 'update').length +
  workflows.filter(({ publishes }) => publishes).length;

async function write(
  plan: Plan,
  shells: readonly Shell[],
  deps: N8nDeps,
  journal: ReturnType<typeof openJournal>,
  signal: AbortSignal,
  progress: Progress,
) {
  const writer = createWriter(plan, deps, journal);
  const total = stepsOf(plan.workflows, plan);
  let done = 0;
  const next = async (what: string, work: () => Promise<unknown>) => {
    signal.throwIfAborted();
    progress(++done, total, what);
    await work();
  };
  const { creates, workflows } = plan;
  for (const name of creates.tags) await next(`tag ${quoted(name)}`, () => writer.tag(name));
  for (const table of creates.tables) await next(`data table ${quoted(table.name)}`, () => writer.table(table));
  for (const shell of shells) await next(`credential ${quoted(shell.item.name)}`, () => writer.credential(shell));
  const [created, updated] = (['create', 'update'] as const).map((action) =>
    workflows.filter((one) => one.action === action),
  ) as [Planned[], Planned[]];
  for (const one of created) await next(`create ${quoted(one.source.name)}`, () => writer.create(one));
  await writer.finishReferences();
  for (const one of updated) await next(`update ${quoted(one.source.name)}`, () => writer.update(one));
  const published = workflows.filter(({ publishes }) => publishes);
  for (const one of published) await next(`publish ${quoted(one.source.name)}`, () => writer.publish(one));
  const notes = await writer.untilLive(signal);
  return { written: writer.written, made: writer.made, notes };
}

function aboutOf(workflows: readonly Planned[]): About {
  const count = (action: Planned['action']) => workflows.filter((one) => one.action === action).length;
  return {
    created: count('create'),
    updated: count('update'),
    published: workflows.filter(({ publishes }) => publishes).length,
    workflows: workflows
      .filter(({ action, publishes }) => action !== 'unchanged' || publishes)
      .slice(0, MOST_NAMES)
      .map(({ source }) => source.name),
  };
}

function stopped(id: string, to: string, cause: AppError, where: string, { failed }: TakenBack): AppError {
  const outcome =
    failed.length === 0
      ? `Everything it had done on ${to} was taken back.`
      : `Not taken back on ${to}: ${failed.slice(0, 10).join('; ')}. When ${to} can be reached, n8n_undo_promotion with "id": "${id}" takes it back, or \`sluice n8n promote --undo --to ${to}\`.`;
  return new AppError(cause.code, `The promotion stopped ${where}: ${cause.message} ${outcome}`, {
    cause,
    data: { ...cause.data, promotion: id, rolledBack: failed.length === 0 },
  });
}
