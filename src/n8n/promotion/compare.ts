import type { Workflow } from '../client/shapes.ts';
import { changesOf, composed } from './compose.ts';
import type { Link, Mappable } from './link.ts';
import { matcher } from './match.ts';
import { needFinder } from './needs.ts';
import type { Stock, Workflows } from './side.ts';

export type DriftState = 'only_from' | 'only_to' | 'differs';

/** One difference between two instances. */
export interface Drift {
  readonly kind: 'workflow' | 'credential' | 'tag' | 'variable' | 'data table';
  readonly name: string;
  readonly state: DriftState;
  readonly type?: string;
  readonly from_id?: string;
  readonly to_id?: string;
  readonly changes?: readonly string[];
}

export interface Compared {
  readonly drifts: readonly Drift[];
  /** How many workflows are the same on both sides. */
  readonly same: number;
}

interface Instance {
  readonly workflows: Workflows;
  readonly stock: Stock;
}

/** The differences between two instances. References count as equal if they lead to what stands for each other. */
export function compared(
  from: Instance,
  to: Instance,
  links: readonly Link[],
  isWanted: (workflow: Workflow) => boolean,
): Compared {
  const instance = to.workflows.client.name;
  const living = ({ all }: Workflows) => all.filter(({ isArchived }) => !isArchived);
  const targets = living(to.workflows);
  const match = {
    workflow: matcher({ kind: 'workflow', mapping: undefined, links, targets: targets.map(named), instance }),
    credential: matcher({ kind: 'credential', mapping: undefined, links, targets: to.stock.credentials, instance }),
    'data table': matcher({
      kind: 'data table',
      mapping: undefined,
      links,
      targets: (to.stock.tables ?? []).map(named),
      instance,
    }),
  };
  const find = needFinder({
    workflows: from.workflows,
    credentials: from.stock.credentials,
    tables: from.stock.tables,
  });
  const resolve: Parameters<typeof composed>[1]['resolve'] = (place) => {
    const { kind, item } = find(place);
    const found = match[kind](item);
    return found && found.how !== 'ambiguous' ? found.to : undefined;
  };
  const drifts: Drift[] = [];
  const paired = new Set<string>();
  let same = 0;
  for (const workflow of living(from.workflows)) {
    const found = match.workflow(named(workflow));
    const other = found && found.how !== 'ambiguous' ? to.workflows.byId.get(found.to.id) : undefined;
    if (other) paired.add(other.id);
    if (!isWanted(workflow)) continue;
    const { id, name } = workflow;
    if (!other) {
      const changes =
        found?.how === 'ambiguous' ? [`${instance} has several of this name: ${found.ids.join(', ')}`] : [];
      drifts.push({ kind: 'workflow', name, state: 'only_from', from_id: id, ...(changes.length > 0 && { changes }) });
      continue;
    }
    const { description: _, ...body } = composed(workflow, { resolve, present: other, pinData: false });
    const changes = [...changesOf(other, body), ...tagChanges(workflow, other), ...publishedChanges(workflow, other)];
    if (changes.length === 0) same++;
    else drifts.push({ kind: 'workflow', name, state: 'differs', from_id: id, to_id: other.id, changes });
  }
  const lonely = targets.filter((one) => !paired.has(one.id) && isWanted(one));
  drifts.push(...lonely.map(({ id, name }): Drift => ({ kind: 'workflow', name, state: 'only_to', to_id: id })));
  return { drifts, same };
}

const named = ({ id, name }: Mappable) => ({ id, name });

function tagChanges(from: Workflow, to: Workflow): string[] {
  const names = ({ tags }: Workflow) => new Set((tags ?? []).map(({ name }) => name));
  return [
    ...[...names(from).difference(names(to))].map((name) => `+ tag "${name}"`),
    ...[...names(to).difference(names(from))].map((name) => `- tag "${name}"`),
  ];
}

function publishedChanges(from: Workflow, to: Workflow): string[] {
  if (from.active !== to.active) return [from.active ? 'live only on `from`' : 'live only on `to`'];
  return [];
}

/** Differences in what workflows use: credentials by type and name, tags and variables by name, tables by columns. */
export function comparedStock(from: Stock, to: Stock): Drift[] {
  return [
    ...byKey('credential', from.credentials, to.credentials, ({ type, name }) => JSON.stringify([type, name])),
    ...byKey('tag', from.tags, to.tags, ({ name }) => name),
    ...(from.variables && to.variables
      ? byKey('variable', from.variables.map(asNamed), to.variables.map(asNamed), ({ name }) => name)
      : []),
    ...(from.tables && to.tables ? byKey('data table', from.tables, to.tables, ({ name }) => name) : []),
    ...(from.tables && to.tables ? columnDrifts(from.tables, to.tables) : []),
  ];
}

const asNamed = (name: string) => ({ id: '', name });

function byKey<T extends { id: string; name: string; type?: string }>(
  kind: Drift['kind'],
  from: readonly T[],
  to: readonly T[],
  keyOf: (one: T) => string,
): Drift[] {
  const [here, there] = [new Map(from.map((one) => [keyOf(one), one])), new Map(to.map((one) => [keyOf(one), one]))];
  const drift = (one: T, state: 'only_from' | 'only_to'): Drift => ({
    kind,
    name: one.name,
    state,
    ...(one.type !== undefined && { type: one.type }),
    ...(one.id !== '' && { [state === 'only_from' ? 'from_id' : 'to_id']: one.id }),
  });
  return [
    ...[...here].filter(([key]) => !there.has(key)).map(([, one]) => drift(one, 'only_from')),
    ...[...there].filter(([key]) => !here.has(key)).map(([, one]) => drift(one, 'only_to')),
  ];
}

function columnDrifts(from: NonNullable<Stock['tables']>, to: NonNullable<Stock['tables']>): Drift[] {
  const there = new Map(to.map((table) => [table.name, table]));
  return from.flatMap((table): Drift[] => {
    const other = there.get(table.name);
    if (!other) return [];
    const columns = ({ columns: all }: typeof table) =>
      new Set(all.map(({ name, type }) => `column ${name} (${type})`));
    const changes = [
      ...[...columns(table).difference(columns(other))].map((column) => `+ ${column}`),
      ...[...columns(other).difference(columns(table))].map((column) => `- ${column}`),
    ];
    if (changes.length === 0) return [];
    return [{ kind: 'data table', name: table.name, state: 'differs', from_id: table.id, to_id: other.id, changes }];
  });
}
