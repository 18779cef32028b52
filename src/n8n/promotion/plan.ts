import type { Workflow } from '../client/shapes.ts';
import type { Pointing } from '../mapping/places.ts';
import type { Target } from '../mapping/rewritten.ts';
import type { Asked } from './asked.ts';
import type { Fact } from './kept-plan.ts';
import type { Link, Mappable, Named } from './link.ts';
import type { How } from './match.ts';
import type { Need, NeedFinder } from './needs.ts';
import type { DataTable, Stock, Workflows } from './side.ts';

export type PlannedAction = 'create' | 'update' | 'unchanged' | 'conflict';

/** What happens to one workflow. */
export interface Planned {
  /** From the source's list; complete, with its description, if `detailed`. */
  readonly source: Workflow;
  readonly detailed: boolean;
  /** Whether the caller named it. Otherwise another one needs it. */
  readonly asked: boolean;
  readonly action: PlannedAction;
  readonly how?: How | undefined;
  /** The workflow on the target. */
  readonly present?: Workflow | undefined;
  /** What an update or an overwritten conflict changes. */
  readonly changes: readonly string[];
  /** What others changed on the target since the last promotion. */
  readonly since?: readonly string[] | undefined;
  readonly publishes: boolean;
  /** Names of the tags that it gets. */
  readonly addsTags: readonly string[];
  readonly link?: Link | undefined;
}

/** Where a need is met on the target. */
export type Settled = Need &
  (
    | { readonly state: 'mapped'; readonly how: How; readonly to: Named }
    /** By this promotion. */
    | { readonly state: 'created' }
    /** It is left out, which does no harm. */
    | { readonly state: 'dropped' }
    | { readonly state: 'hole'; readonly why: string; readonly fix: string }
  );

/** Everything that a promotion would do. */
export interface Plan {
  readonly asked: Asked;
  readonly source: Workflows;
  readonly target: Workflows;
  readonly stock: { readonly source: Stock; readonly target: Stock };
  /** In the order in which they are written: what others call comes first. */
  readonly workflows: readonly Planned[];
  readonly needs: ReadonlyMap<string, Settled>;
  readonly find: NeedFinder;
  readonly links: readonly Link[];
  readonly creates: {
    readonly tags: readonly string[];
    readonly tables: readonly DataTable[];
    readonly credentials: readonly Mappable[];
  };
  /** What is missing on the target and cannot be mapped: a need or a variable. */
  readonly holes: readonly Hole[];
  /** Why it cannot be applied, besides holes and conflicts. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly facts: readonly Fact[];
}

export interface Hole {
  readonly what: string;
  readonly used_by: string;
  readonly why: string;
  readonly fix: string;
}

/** Ids of what the promotion created, by the key of the need. */
export type Made = ReadonlyMap<string, Named>;

/** Stands for the id of something that is not created yet. */
const pendingId = (item: Mappable): string => `new-${item.id || item.name}`;

/**
 * Where the places of a workflow point on the target. What is not created yet is `pending`: a stand-in while planning,
 * nothing while writing.
 */
export function resolver(
  { needs, find }: Pick<Plan, 'needs' | 'find'>,
  made: Made = new Map(),
  pending: 'stand-in' | 'none' = 'stand-in',
): (place: Pointing) => Target {
  return (place) => {
    const { key, item } = find(place);
    const done = made.get(key);
    if (done) return done;
    const need = needs.get(key);
    if (need?.state === 'mapped') return need.to;
    if (need?.state === 'created' && pending === 'stand-in') return { id: pendingId(item), name: item.name };
    return 'none';
  };
}

/** What the target will have in addition, under stand-in ids. */
export function pendingOf({ needs }: Pick<Plan, 'needs'>, kind: Need['kind']): Mappable[] {
  return [...needs.values()]
    .filter((need) => need.kind === kind && need.state === 'created')
    .map(({ item }) => ({ ...item, id: pendingId(item) }));
}
