import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { counted, someOf } from '../../kernel/some-of.ts';
import { n8nTool, type N8nDeps } from '../tool.ts';
import { instanceName } from './asked.ts';
import type { JournalStep, Promotion } from './records.ts';
import { changedSince } from './changed-since.ts';
import type { Step } from './step.ts';
import { takeBack } from './take-back.ts';

interface Which {
  readonly id?: string | undefined;
  readonly to?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

export const undoPromotion = n8nTool({
  name: 'n8n_undo_promotion',
  title: 'Undo promotion',
  description:
    'Undoes a promotion on its target, by default the last one: deletes what it created and restores what it updated, drafts and live versions. Also cleans up one that stopped half way. Refuses if somebody changed those things since, unless "overwrite".',
  effect: 'delete',
  phrases:
    'undo the last promotion; roll back a deployment; revert what was promoted; take back the release to production; the promotion was a mistake; restore production to before the promotion; undo the deploy to the other n8n; remove what the promotion created; clean up a promotion that stopped half way; back out of a release; reverse the promotion; undo moving workflows to another instance; the rollout broke production, go back; cancel the deployment between instances; unpromote workflows',
  tags: ['promotion'],
  namesInstances: true,
  input: {
    to: instanceName.optional().describe('The n8n whose last promotion to undo'),
    id: z.string().min(1).max(100).optional().describe('Id of a promotion; n8n_list_promotions shows them'),
    overwrite: z
      .boolean()
      .optional()
      .describe('Undo it although somebody changed or used those things since, and give up what cannot be restored'),
  },
  output: z.object({
    promotion: z.string(),
    from: z.string(),
    to: z.string(),
    state: z.enum(['undone', 'half undone']),
    taken_back: z.array(z.string()),
    failed: z
      .array(z.string())
      .optional()
      .describe('What could not be taken back, and why. If half undone, call again'),
    more: z.string().optional(),
  }),
  async preview(which, deps, { signal }) {
    const promotion = await chosen(which, deps);
    const steps = openSteps(await deps.promotions.steps(promotion.id));
    await assertUndoable(promotion, steps, which, deps, signal);
    return `It undoes promotion ${promotion.id} from ${promotion.from} to ${promotion.to} (${promotion.started.toISOString()}): ${effectOf(steps)}`;
  },
  async run(which, deps, { signal }) {
    const promotion = await chosen(which, deps);
    const { backups, promotions } = deps;
    const client = deps.instances.get(promotion.to);
    return client.turns.take('promotion', async () => {
      const steps = await deps.promotions.steps(promotion.id);
      await assertUndoable(promotion, openSteps(steps), which, deps, signal);
      await promotions.resume(promotion);
      let state: 'undone' | 'half undone' = 'half undone';
      try {
        const { done, failed } = await takeBack({ client, backups, promotions }, promotion, steps, which.overwrite);
        const left = openSteps(await promotions.steps(promotion.id));
        state = left.length > 0 ? 'half undone' : 'undone';
        const { id, from, to } = promotion;
        return {
          promotion: id,
          from,
          to,
          state,
          taken_back: done.slice(0, MOST_SHOWN),
          ...(failed.length > 0 && { failed: failed.slice(0, MOST_SHOWN).map((line) => line.slice(0, 300)) }),
          ...(done.length > MOST_SHOWN && { more: `${done.length - MOST_SHOWN} more were taken back.` }),
        };
      } finally {
        await promotions.end(promotion.id, state);
      }
    });
  },
});

const MOST_SHOWN = 20;

const openSteps = (steps: readonly JournalStep[]): JournalStep[] => steps.filter(({ state }) => state !== 'undone');

const isOver = ({ state }: Promotion): boolean => state === 'undone';

/** The promotion of the id, or the last one: never an older one because somebody repeated the call. */
async function chosen({ id, to }: Which, { promotions, instances }: N8nDeps): Promise<Promotion> {
  if (to !== undefined) instances.get(to);
  const found = await promotions.list({ to, id }, 100);
  // One that was rolled back has changed nothing.
  const effective = found.filter(({ state }) => state !== 'rolled back');
  const targets = new Set(effective.filter((one) => !isOver(one)).map((one) => one.to));
  if (to === undefined && id === undefined && targets.size > 1) {
    const names = [...targets].join(', ');
    throw new AppError('invalid_input', `There are promotions to several n8n: ${names}. Say which with "to" or "id".`);
  }
  const [last] = effective;
  if (last?.busy) {
    throw new AppError('conflict', `Promotion ${last.id} is still at work on ${last.to}. Wait until it has ended.`);
  }
  if (last && !isOver(last)) return last;
  const [done] = last ? [last] : found;
  if (done && id !== undefined) {
    throw new AppError('conflict', `Promotion ${done.id} was ${done.state} already. There is nothing to undo.`);
  }
  if (last) {
    const before = effective.find((one) => !isOver(one));
    const advice = before ? ` To undo the one before, pass "id": "${before.id}".` : '';
    throw new AppError('conflict', `The last promotion to ${last.to}, ${last.id}, was undone already.${advice}`);
  }
  const what = id === undefined ? `to undo${to === undefined ? '' : ` on ${to}`}` : shown(id);
  throw new AppError('not_found', `There is no promotion ${what}. n8n_list_promotions shows them.`);
}

const scopeToUndo: Readonly<Record<Step['kind'], string>> = {
  create: 'workflow:delete',
  update: 'workflow:update',
  publish: 'workflow:activate',
  credential: 'credential:delete',
  'data table': 'dataTable:delete',
  tag: 'tag:delete',
};

/** Refuses before the first change if the key may not undo everything, or if somebody has changed something. */
async function assertUndoable(
  promotion: Promotion,
  steps: readonly JournalStep[],
  { overwrite }: Which,
  deps: N8nDeps,
  signal: AbortSignal,
): Promise<void> {
  if (overwrite) return;
  const client = deps.instances.get(promotion.to);
  await client.abilities.assertScopes([...new Set(steps.map(({ step }) => scopeToUndo[step.kind]))]);
  const changed = await changedSince(client, steps, signal);
  if (changed.length === 0) return;
  throw new AppError(
    'conflict',
    `Nothing was undone. Since promotion ${promotion.id}: ${someOf(changed)}. To undo it all the same, pass "overwrite": true. Workflows and rows are backed up first; values of credentials cannot be.`,
    { data: { changed: changed.slice(0, 50) } },
  );
}

function effectOf(steps: readonly JournalStep[]): string {
  const of = (kind: Step['kind']) => steps.flatMap(({ step }) => (step.kind === kind ? [`"${step.name}"`] : []));
  const lines = (
    [
      ['create', 'deletes', 'workflow'],
      ['update', 'restores', 'workflow'],
      ['publish', 'resets what is live of', 'workflow'],
      ['credential', 'deletes', 'credential'],
      ['data table', 'deletes', 'data table'],
      ['tag', 'deletes', 'tag'],
    ] as const
  ).flatMap(([kind, verb, noun]) => {
    const names = of(kind);
    return names.length > 0 ? [`${verb} ${counted(names.length, noun)} (${someOf(names, 5)})`] : [];
  });
  return lines.length > 0 ? `${lines.join('; ')}.` : 'nothing is left to undo; it is only marked.';
}
