import { AppError } from '../../kernel/errors.ts';
import type { Workflow } from '../client/shapes.ts';
import type { Asked, Creatable } from './asked.ts';
import type { Link } from './link.ts';
import { matcher, type Match } from './match.ts';
import { type Need, needFinder, needsOf, type SourceStock } from './needs.ts';
import type { Settled } from './plan.ts';
import type { Stock, Workflows } from './side.ts';

export interface Chosen {
  readonly source: Workflow;
  readonly asked: boolean;
  /** Undefined: the target does not have it. */
  readonly match: Match | undefined;
}

/** Everything that has to be promoted, and where each need is met. */
export function settled(
  wanted: readonly Workflow[],
  asked: Asked,
  source: SourceStock,
  target: Workflows,
  stock: Stock,
  links: readonly Link[],
) {
  const instance = target.client.name;
  const living = target.all.filter(({ isArchived }) => !isArchived);
  const { mapping = {} } = asked;
  const match = {
    workflow: matcher({ kind: 'workflow', mapping: mapping.workflows, links, targets: living.map(named), instance }),
    credential: matcher({
      kind: 'credential',
      mapping: mapping.credentials,
      links,
      targets: stock.credentials,
      instance,
      isComplete: stock.knowsCredentials,
    }),
    'data table': matcher({
      kind: 'data table',
      mapping: mapping.data_tables,
      links,
      targets: (stock.tables ?? []).map(named),
      instance,
      isComplete: stock.tables !== undefined,
    }),
  };
  const find = needFinder(source);
  const may = (what: Creatable) => (asked.include ?? [what]).includes(what);

  /** Whether a workflow that another one needs becomes part of the promotion. */
  function joins({ item, as, exists }: Need, found: Match | undefined): Workflow | undefined {
    const workflow = exists ? source.workflows.byId.get(item.id) : undefined;
    if (!workflow || workflow.isArchived) return undefined;
    const isAllowed =
      (as.has('sub-workflow') && may('sub-workflows')) || (as.has('error workflow') && may('error-workflows'));
    if (!isAllowed) return undefined;
    if (!found) return workflow;
    return asked.update_dependencies && found.how !== 'mapping' && found.how !== 'ambiguous' ? workflow : undefined;
  }

  const chosen = new Map<string, Chosen>(
    wanted.map((one) => [one.id, { source: one, asked: true, match: match.workflow(named(one)) }]),
  );
  for (let added = wanted; added.length > 0; ) {
    const next: Workflow[] = [];
    for (const need of needsOf(added, find).values()) {
      if (need.kind !== 'workflow' || chosen.has(need.item.id)) continue;
      const found = match.workflow(need.item);
      const workflow = joins(need, found);
      if (!workflow) continue;
      chosen.set(workflow.id, { source: workflow, asked: false, match: found });
      next.push(workflow);
    }
    added = next;
  }

  const needs = new Map<string, Settled>();
  for (const need of needsOf(
    [...chosen.values()].map((one) => one.source),
    find,
  ).values()) {
    needs.set(need.key, settledNeed(need));
  }

  function settledNeed(need: Need): Settled {
    const found = match[need.kind](need.item);
    if (need.kind === 'workflow' && chosen.has(need.item.id)) {
      return found && found.how !== 'ambiguous'
        ? { ...need, state: 'mapped', how: found.how, to: found.to }
        : { ...need, state: 'created' };
    }
    if (found && found.how !== 'ambiguous') return { ...need, state: 'mapped', how: found.how, to: found.to };
    if (need.as.size === 1 && need.as.has('caller')) return { ...need, state: 'dropped' };
    if (found) return { ...need, state: 'hole', ...ambiguous(need, found.ids, instance) };
    const creates =
      need.exists &&
      ((need.kind === 'credential' && asked.credentials === 'create_empty') ||
        (need.kind === 'data table' && stock.tables !== undefined && may('data-tables')));
    return creates ? { ...need, state: 'created' } : { ...need, state: 'hole', ...missing(need, instance, source) };
  }

  assertApart([...chosen.values()]);
  return { chosen: [...chosen.values()], needs, find };
}

const named = ({ id, name }: { id: string; name: string }) => ({ id, name });

const argumentOf = { workflow: 'workflows', credential: 'credentials', 'data table': 'data_tables' } as const;

const byMapping = ({ kind, item }: Need): string =>
  `name it in the mapping: { "${argumentOf[kind]}": { ${JSON.stringify(item.name)}: "id or name there" } }`;

function ambiguous(need: Need, ids: readonly string[], instance: string) {
  return { why: `${instance} has ${ids.length} of this name: ${ids.slice(0, 5).join(', ')}`, fix: byMapping(need) };
}

function missing(need: Need, instance: string, { workflows }: SourceStock) {
  const { kind, item, exists } = need;
  if (kind === 'workflow' && workflows.generated.has(item.id)) {
    return { why: 'Sluice generated it, and writes its own on every instance', fix: byMapping(need) };
  }
  if (!exists) {
    return {
      why: `neither ${workflows.client.name} nor ${instance} has it`,
      fix: `repair the workflow on ${workflows.client.name}, or ${byMapping(need)}`,
    };
  }
  const why = `${instance} does not have it`;
  if (kind === 'credential') {
    return { why, fix: `"credentials": "create_empty" creates it without values, or ${byMapping(need)}` };
  }
  if (kind === 'data table') return { why, fix: `add "data-tables" to include, or ${byMapping(need)}` };
  return { why, fix: `promote it too ("workflows" or "include"; not if it is archived), or ${byMapping(need)}` };
}

/** Two workflows must not overwrite the same one. */
function assertApart(chosen: readonly Chosen[]): void {
  const taken = new Map<string, Workflow>();
  for (const { source, match } of chosen) {
    if (!match || match.how === 'ambiguous') continue;
    const other = taken.get(match.to.id);
    if (other) {
      throw new AppError(
        'invalid_input',
        `"${other.name}" (${other.id}) and "${source.name}" (${source.id}) would both become ${match.to.id} on the target. Map one of them elsewhere with mapping.workflows, or leave one out.`,
      );
    }
    taken.set(match.to.id, source);
  }
}

/** What others call comes first. In a circle, somebody is first: the writer completes that one later. */
export function bottomUp(chosen: readonly Chosen[], find: ReturnType<typeof needFinder>): Chosen[] {
  const byId = new Map(chosen.map((one) => [one.source.id, one]));
  const order: Chosen[] = [];
  const seen = new Set<string>();
  // A chain of calls can be longer than the stack is deep.
  for (const start of chosen) {
    const stack: { one: Chosen; below: Chosen[] }[] = [];
    const enter = (one: Chosen) => {
      if (seen.has(one.source.id)) return;
      seen.add(one.source.id);
      const below = [...needsOf([one.source], find).values()]
        .filter(({ kind }) => kind === 'workflow')
        .flatMap(({ item }) => byId.get(item.id) ?? []);
      stack.push({ one, below });
    };
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.below.shift();
      if (next) enter(next);
      else order.push((stack.pop() as { one: Chosen }).one);
    }
  }
  return order;
}
