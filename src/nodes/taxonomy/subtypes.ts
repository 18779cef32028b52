import { fittingItems } from '../../kernel/reply-size.ts';
import type { NodeSummary } from '../catalogue.ts';
import { curatedNames } from '../curated/names.ts';
import { type NodeType, nodeTypes } from './taxonomy.ts';

export type Subtypes = Readonly<Partial<Record<NodeType, string[]>>>;

interface Lists {
  readonly whole: Required<Subtypes>;
  readonly overview: Subtypes;
}

const known = new WeakMap<readonly NodeSummary[], Lists>();

/** Every subtype by type: curated ones first, then other nodes by name, then hidden ones. */
export const allSubtypes = (nodes: readonly NodeSummary[]): Required<Subtypes> => listsOf(nodes).whole;

/** A short overview: small types complete, large ones with their curated names only. */
export const commonSubtypes = (nodes: readonly NodeSummary[]): Subtypes => listsOf(nodes).overview;

/** Cached, because a catalogue does not change and is read often. */
function listsOf(nodes: readonly NodeSummary[]): Lists {
  let lists = known.get(nodes);
  if (!lists) known.set(nodes, (lists = { whole: byType(nodes), overview: overviewOf(nodes) }));
  return lists;
}

function byType(nodes: readonly NodeSummary[]): Required<Subtypes> {
  const sorted = nodes.toSorted((a, b) => Number(a.hidden) - Number(b.hidden) || (a.subtype < b.subtype ? -1 : 1));
  const further = Map.groupBy(sorted, ({ type }) => type);
  const lists = nodeTypes.map((type) => {
    const names = (further.get(type) ?? []).map(({ subtype }) => subtype);
    return [type, [...new Set([...curatedNames[type], ...names])]];
  });
  return Object.fromEntries(lists) as Required<Subtypes>;
}

function overviewOf(nodes: readonly NodeSummary[]): Subtypes {
  const whole = Object.entries(byType(nodes.filter(({ hidden }) => !hidden)));
  const further = whole
    .map(([type, list]) => ({ type, more: list.slice(curatedNames[type as NodeType].length) }))
    .sort((a, b) => a.more.join().length - b.more.join().length);
  const fitting = new Set(further.slice(0, fittingItems(further, curatedNames)).map(({ type }) => type));
  return Object.fromEntries(
    whole.map(([type, list]) => [type, fitting.has(type) ? list : [...curatedNames[type as NodeType]]]),
  );
}
