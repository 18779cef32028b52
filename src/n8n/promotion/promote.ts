import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { someOf } from '../../kernel/some-of.ts';
import type { Progress } from '../../kernel/progress.ts';
import { n8nTool, type N8nDeps } from '../tool.ts';
import { applyPlan } from './apply.ts';
import { type Asked, askedInput, askedShape, sidesOf } from './asked.ts';
import { checkPlan } from './check.ts';
import { changedFacts, type KeptPlan } from './kept-plan.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';
import { hasWork, isBlocked, reportOf, reportShape } from './report.ts';
import { shellsFor } from './shells.ts';

const MOST_LISTED = 100;

export const promote = n8nTool({
  name: 'n8n_promote',
  title: 'Promote workflows',
  description:
    'Brings workflows from one n8n to another, with what they need: sub-workflows, error workflows, credentials (mapped by id, name or mapping), data tables, tags. First returns a plan and changes nothing; pass its id as "apply" to carry it out. Drafts unless "publish". If a step fails, everything is taken back. n8n_undo_promotion undoes it later.',
  effect: 'update',
  phrases:
    'promote a workflow to production; move workflows from staging to production; deploy workflows to another n8n; copy a workflow to the other instance; bring my flow from dev to prod; transfer workflows between n8n instances; release to the production server; push a workflow to the live n8n; migrate workflows to a new n8n; roll out from test to production; ship the automation to the customer instance; sync a workflow from one instance to another; deploy with sub-workflows and credentials; promote everything with a tag; carry workflows over to another server; what would a promotion change; plan a deployment between instances; apply the promotion plan; take a workflow from the test system to the real one; map credentials when moving a workflow to another n8n; move an automation between environments; put the staging version on production; deploy all workflows to the second n8n; first deployment to a new instance; update production from staging',
  tags: ['promotion'],
  namesInstances: true,
  input: {
    ...askedInput,
    apply: z.string().min(1).max(100).optional().describe('Id of a plan: carries it out. Needs no other arguments'),
    full: z.boolean().optional().describe('Everything, however long the reply gets'),
  },
  output: reportShape,
  examples: [
    { title: 'A plan', arguments: { workflows: ['Orders'], from: 'staging', to: 'production' } },
    { title: 'Carry it out', arguments: { apply: 'plan-3f9a1c20b4d5' } },
    {
      title: 'With empty credentials, published like on the source',
      arguments: {
        tag: 'release',
        from: 'staging',
        to: 'production',
        credentials: 'create_empty',
        publish: 'as_source',
      },
    },
  ],
  async run({ apply, full = false, ...asked }, deps, { signal }, progress) {
    if (apply === undefined) return planned(asked, deps, signal, full);
    const kept = await keptPlan(deps, apply, asked);
    return carriedOut(kept, apply, deps, signal, progress, full);
  },
});

/** A plan with everything that is checked before the first change. */
async function prepared(asked: Asked, deps: N8nDeps, signal: AbortSignal) {
  const plan = await makePlan(asked, deps, signal);
  const { shells, problems: types } = await shellsFor(plan.target.client, plan.creates.credentials, signal);
  const { problems, notes } = await checkPlan(plan, deps, signal);
  return {
    plan,
    shells,
    notes,
    problems: [...(await unfinished(plan, deps)), ...plan.problems, ...types, ...problems],
  };
}

async function planned(asked: Asked, deps: N8nDeps, signal: AbortSignal, full: boolean) {
  const { plan, ...found } = await prepared(asked, deps, signal);
  const isReady = hasWork(plan) && !isBlocked(plan, found.problems);
  const kept = isReady ? await deps.promotions.keepPlan({ asked, facts: plan.facts }) : undefined;
  return reportOf({ plan, ...found, kept, full });
}

async function keptPlan({ promotions }: N8nDeps, id: string, given: Asked): Promise<KeptPlan> {
  const kept = await promotions.plan(id);
  if (!kept) {
    throw new AppError(
      'not_found',
      `No plan ${shown(id)}: plans are kept for a day. Call n8n_promote with "workflows", "from" and "to" for a new one.`,
    );
  }
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const other = named.find(([key, value]) => !isDeepStrictEqual(kept.asked[key], value));
  if (other) {
    throw new AppError(
      'invalid_input',
      `Plan ${id} was made with another "${other[0]}". Pass only "apply", or make a new plan.`,
    );
  }
  return kept;
}

async function carriedOut(
  kept: KeptPlan,
  id: string,
  deps: N8nDeps,
  signal: AbortSignal,
  progress: Progress,
  full: boolean,
) {
  const asked = askedShape.parse(kept.asked);
  const last = await deps.promotions.last(sidesOf(deps.instances, asked).target.name);
  const { plan, shells, problems, notes } = await prepared(asked, deps, signal);
  const changed = changedFacts(kept.facts, plan.facts);
  if (changed.length > 0) {
    throw new AppError(
      'conflict',
      `Plan ${id} is out of date, so nothing was promoted: ${someOf(changed)}. Make a new plan.`,
      { data: { changed: changed.slice(0, 50) } },
    );
  }
  if (isBlocked(plan, problems)) {
    const why = [...problems, ...plan.holes.map(({ what }) => `missing: ${what}`)];
    throw new AppError('conflict', `Nothing was promoted: ${someOf(why, 5)}. Make a new plan.`);
  }
  const applied = await applyPlan(plan, shells, last, deps, signal, progress);
  return reportOf({ plan, shells, problems: [], notes, applied, full });
}

/** A promotion that stopped half way has to be taken back first. */
async function unfinished({ target: { client } }: Plan, { promotions }: N8nDeps): Promise<string[]> {
  const half = (await promotions.list({ to: client.name }, MOST_LISTED)).find(
    ({ state, busy }) => !busy && (state === 'half done' || state === 'half undone'),
  );
  if (!half) return [];
  return [
    `Promotion ${half.id} to ${client.name} stopped half way. First take it back: n8n_undo_promotion with "id": "${half.id}", or \`sluice n8n promote --undo --to ${client.name}\`.`,
  ];
}
