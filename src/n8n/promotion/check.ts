import { AppError } from '../../kernel/errors.ts';
import { someOf } from '../../kernel/some-of.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import type { World } from '../../validation/subject/subject.ts';
import { setWhere } from '../client/set-where.ts';
import type { N8nDeps } from '../tool.ts';
import { saveGuard } from '../validation/on-save.ts';
import { usualSettings } from '../validation/settings.ts';
import { lookUpIn, othersOf } from '../validation/world.ts';
import { composed } from './compose.ts';
import { pendingOf, type Plan, type Planned, resolver } from './plan.ts';

export interface Checked {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

const isWritten = ({ action }: Planned): boolean => action === 'create' || action === 'update';

/** Everything that n8n or the validator would refuse, before the first change. */
export async function checkPlan(plan: Plan, deps: N8nDeps, signal: AbortSignal): Promise<Checked> {
  const changing = plan.workflows.filter((one) => isWritten(one) || one.publishes);
  if (changing.length === 0) return { problems: [], notes: [] };
  const scopes = await checkScopes(plan);
  const types = await checkTypes(plan, changing, deps);
  const validated = await checkContent(plan, changing, types.broken, deps, signal);
  return {
    problems: [...scopes.problems, ...types.problems, ...validated],
    notes: [...scopes.notes, ...types.notes],
  };
}

/** What the key of the target needs, for its work and for taking it back. */
async function checkScopes({ target: { client }, workflows, creates }: Plan): Promise<Checked> {
  const allowed = await client.abilities.scopes();
  if (!allowed) return { problems: [], notes: [] };
  const some = (action: Planned['action']) => workflows.some((one) => one.action === action);
  const needed = [
    ...(some('create') ? ['workflow:create'] : []),
    ...(some('create') || some('update') ? ['workflow:read', 'workflow:update'] : []),
    ...(workflows.some(({ publishes }) => publishes) ? ['workflow:activate'] : []),
    ...(workflows.some(({ addsTags }) => addsTags.length > 0) ? ['workflowTags:update'] : []),
    ...(creates.tags.length > 0 ? ['tag:create'] : []),
    ...(creates.tables.length > 0 ? ['dataTable:create'] : []),
    ...(creates.credentials.length > 0 ? ['credential:create'] : []),
  ];
  const undoing = [
    ...(some('create') ? ['workflow:delete'] : []),
    ...(creates.tags.length > 0 ? ['tag:delete'] : []),
    ...(creates.tables.length > 0 ? ['dataTable:delete'] : []),
    ...(creates.credentials.length > 0 ? ['credential:delete'] : []),
  ];
  const lacks = (wanted: readonly string[]) => wanted.filter((scope) => !allowed.has(scope));
  const where = `Add them in n8n under Settings > n8n API, or set another key in ${setWhere(client.name, 'apiKey')}.`;
  return {
    problems:
      lacks(needed).length > 0
        ? [`The API key of n8n (${client.name}) lacks the scopes ${lacks(needed).join(', ')}. ${where}`]
        : [],
    notes:
      lacks(undoing).length > 0
        ? [
            `The API key of n8n (${client.name}) lacks the scopes ${lacks(undoing).join(', ')}, so what is created cannot be taken back.`,
          ]
        : [],
  };
}

const OWN = /^(?:n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./;

/** Node types that the target does not have. */
async function checkTypes(plan: Plan, changing: readonly Planned[], deps: N8nDeps) {
  const broken = new Set<Planned>();
  if (modeOf(plan, deps) === 'off') return { problems: [], notes: [], broken };
  const { name } = plan.target.client;
  let catalogue: Catalogue;
  try {
    catalogue = await deps.catalogues.ready(name);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
    // The validator says what to do about it.
    return { problems: [], notes: [], broken };
  }
  const missing = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const one of changing) {
    for (const { type } of one.source.nodes) {
      if (catalogue.curatedOnly || catalogue.node(type)) continue;
      // A catalogue from n8n's own packages does not know which community nodes are installed.
      if (catalogue.origin.from === 'packages' && !OWN.test(type)) {
        unknown.add(type);
        continue;
      }
      missing.set(type, (missing.get(type) ?? new Set()).add(one.source.name));
      broken.add(one);
    }
  }
  return {
    broken,
    problems: [...missing].map(
      ([type, users]) =>
        `n8n (${name}) does not have the node type ${type}, which ${someOf(
          [...users].map((user) => `"${user}"`),
          3,
        )} uses. Install its package there, or update that n8n.`,
    ),
    notes:
      unknown.size > 0
        ? [`Could not check whether n8n (${name}) has these community nodes: ${someOf([...unknown])}.`]
        : [],
  };
}

const modeOf = ({ asked }: Plan, deps: N8nDeps) => asked.validate ?? (deps.validation?.() ?? usualSettings).onSave;

/** What the validator says about each workflow, compared with what the target will have. */
async function checkContent(
  plan: Plan,
  changing: readonly Planned[],
  broken: ReadonlySet<Planned>,
  deps: N8nDeps,
  signal: AbortSignal,
): Promise<string[]> {
  const { asked, target } = plan;
  const around = surroundingsAfter(plan);
  const resolve = resolver(plan);
  const problems: string[] = [];
  for (const one of changing) {
    signal.throwIfAborted();
    if (broken.has(one)) continue;
    const { source, present, publishes } = one;
    const guard = saveGuard(target.client, deps, signal, {
      mode: asked.validate,
      publish: publishes,
      what: 'nothing was promoted',
      around: async (_, self) => ({ world: { ...around, ...(self !== undefined && { self }) }, notes: [] }),
    });
    try {
      await guard.check(composed(source, { resolve, present, pinData: false }), present);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      problems.push(`"${source.name}": ${error.message}`);
    }
  }
  return problems;
}

/** What the target has, with what this promotion adds. */
function surroundingsAfter(plan: Plan): World {
  const { target, stock, workflows } = plan;
  const own = new Set(workflows.flatMap(({ present }) => (present ? [present.id] : [])));
  const live = new Set(workflows.filter(({ publishes }) => publishes).map(({ source }) => source.name));
  const planned = new Map(
    pendingOf(plan, 'workflow').map(({ id, name }) => [id, { name, isPublished: live.has(name) }]),
  );
  const published = new Set(workflows.flatMap(({ present, publishes }) => (present && publishes ? [present.id] : [])));
  const known = lookUpIn(target.all);
  const lookUp = (id: string) => {
    const found = known(id);
    return found === 'missing' || !published.has(id) ? found : { ...found, isPublished: true };
  };
  const others = othersOf(target.all.filter(({ id, active }) => active && !own.has(id)));
  return {
    ...(others && { workflows: others }),
    ...(stock.target.knowsCredentials && {
      credentials: [...stock.target.credentials, ...pendingOf(plan, 'credential')].map(({ id, name, type = '' }) => ({
        id,
        name,
        type,
      })),
    }),
    workflow: (id) => planned.get(id) ?? lookUp(id),
    ...(stock.target.tables && { dataTables: [...stock.target.tables, ...pendingOf(plan, 'data table')] }),
  };
}
