import { quoted, someOf } from '../../kernel/some-of.ts';
import type { Credential, Workflow } from '../client/shapes.ts';
import { isPointing, type Place, placesIn, type Pointing } from '../mapping/places.ts';
import type { LinkKind, Mappable } from './link.ts';
import type { DataTable, Workflows } from './side.ts';

/** Something outside of a workflow that it needs on the target, too. */
export interface Need {
  /** Identifies it. */
  readonly key: string;
  readonly kind: LinkKind;
  /** As the source knows it. */
  readonly item: Mappable;
  /** What it is for. A caller is only allowed to call: it need not exist. */
  readonly as: Set<'sub-workflow' | 'error workflow' | 'caller' | 'credential' | 'data table'>;
  /** Names of the workflows that need it. */
  readonly usedBy: Set<string>;
  /** Whether the source has it. If not, the workflow is broken there, too. */
  readonly exists: boolean;
}

/** What can be looked up on the source. */
export interface SourceStock {
  readonly workflows: Workflows;
  readonly credentials: readonly Credential[];
  readonly tables: readonly DataTable[] | undefined;
}

const kindOf = (place: Pointing): LinkKind =>
  place.kind === 'credential' || place.kind === 'data table' ? place.kind : 'workflow';

/** Identifies something on the source. */
export const needKey = (kind: LinkKind, id: string, type = ''): string => JSON.stringify([kind, type, id]);

/** Says for each place of a workflow what it needs. */
export function needFinder({ workflows, credentials, tables }: SourceStock) {
  const credentialById = new Map(credentials.map((one) => [one.id, one]));
  const tableById = new Map((tables ?? []).map((one) => [one.id, one]));
  const credentialsByName = Map.groupBy(credentials, ({ type, name }) => JSON.stringify([type, name]));
  const tablesByName = Map.groupBy(tables ?? [], ({ name }) => name);

  /** The thing itself, with its present name; undefined if the source does not have it. */
  function found(place: Pointing): Mappable | undefined {
    const { kind, id, name = '' } = place;
    if (kind === 'credential') {
      if (id !== undefined) return credentialById.get(id);
      const named = credentialsByName.get(JSON.stringify([place.type, name])) ?? [];
      return named.length === 1 ? named[0] : undefined;
    }
    if (kind === 'data table') return id === undefined ? tablesByName.get(name)?.[0] : tableById.get(id);
    return id === undefined ? undefined : workflows.byId.get(id);
  }

  return (place: Pointing): Pick<Need, 'key' | 'kind' | 'item' | 'exists'> => {
    const kind = kindOf(place);
    const there = found(place);
    const type = place.kind === 'credential' ? { type: place.type } : {};
    const item: Mappable = there
      ? { id: there.id, name: there.name, ...type }
      : { id: place.id ?? '', name: place.name ?? place.id ?? '', ...type };
    return { key: needKey(kind, item.id || item.name, item.type), kind, item, exists: there !== undefined };
  };
}

export type NeedFinder = ReturnType<typeof needFinder>;

/** Collects what workflows need. */
export function needsOf(workflows: readonly Workflow[], find: NeedFinder): Map<string, Need> {
  const needs = new Map<string, Need>();
  for (const workflow of workflows) {
    for (const place of placesIn(workflow)) {
      if (!isPointing(place)) continue;
      const { key, ...found } = find(place);
      const need: Need = needs.get(key) ?? { key, ...found, as: new Set(), usedBy: new Set() };
      needs.set(key, need);
      need.as.add(place.kind);
      need.usedBy.add(workflow.name);
    }
  }
  return needs;
}

/** Which lists are needed to say where the places of these workflows point. */
export function kindsIn(workflows: readonly Workflow[]) {
  const places = workflows.flatMap((workflow) => placesIn(workflow));
  const has = (kind: Place['kind']) => places.some((place) => place.kind === kind);
  return {
    credentials: has('credential'),
    tables: has('data table'),
    variables: has('variable'),
    tags: workflows.some(({ tags }) => (tags ?? []).length > 0),
  };
}

/** Names of the variables that the workflows read, with the workflows. */
export function variablesOf(workflows: readonly Workflow[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const workflow of workflows) {
    for (const place of placesIn(workflow)) {
      if (place.kind !== 'variable') continue;
      found.set(place.name, (found.get(place.name) ?? new Set()).add(workflow.name));
    }
  }
  return found;
}

/** Sentences about references that an expression chooses at run time: nobody can map those. */
export function dynamicNotes(workflows: readonly Workflow[]): string[] {
  return workflows.flatMap((workflow) =>
    placesIn(workflow).flatMap((place) =>
      place.kind === 'dynamic'
        ? [
            `"${workflow.name}": an expression in the node "${place.node}" chooses the ${place.of} when it runs. Check that it finds the right one on the target.`,
          ]
        : [],
    ),
  );
}

export const usersOf = ({ usedBy }: Pick<Need, 'usedBy'>): string => someOf([...usedBy].map(quoted), 3);
