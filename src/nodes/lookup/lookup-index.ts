import type { Catalogue, NodeSummary } from '../catalogue.ts';
import { composedSubtypes } from '../taxonomy/composed-subtypes.ts';
import { curatedNames } from '../curated/names.ts';
import { type NodeType, nodeTypes } from '../taxonomy/taxonomy.ts';
import { loose } from './loose.ts';

/** A type and subtype that names a node. One n8n node may have several (`FLOW.WAIT` and `FLOW.DELAY`). */
export interface Known {
  readonly type: NodeType;
  readonly subtype: string;
  readonly node: NodeSummary;
  /** Sluice has its own text for this name. */
  readonly curated?: boolean;
}

export interface LookupIndex {
  readonly all: readonly Known[];
  /** `TYPE.SUBTYPE`, exactly. */
  readonly byKey: ReadonlyMap<string, Known>;
  /** Exact full n8n name. */
  readonly byName: ReadonlyMap<string, Known>;
  /** Keys folded with `loose`, the likeliest node first. */
  readonly bySubtype: ReadonlyMap<string, readonly Known[]>;
  /** By `TYPE.SUBTYPE`, name and title; folded and ordered the same way. */
  readonly byLoose: ReadonlyMap<string, readonly Known[]>;
}

export const keyOf = ({ type, subtype }: { type: string; subtype: string }): string => `${type}.${subtype}`;

const indexes = new WeakMap<Catalogue, LookupIndex>();

export function lookupIndex(catalogue: Catalogue): LookupIndex {
  let index = indexes.get(catalogue);
  if (!index) indexes.set(catalogue, (index = build(catalogue)));
  return index;
}

function build(catalogue: Catalogue): LookupIndex {
  const own = catalogue.nodes().map((node): Known => ({ type: node.type, subtype: node.subtype, node }));
  const byKey = new Map(own.map((known) => [keyOf(known), known]));
  for (const type of nodeTypes) {
    for (const subtype of curatedNames[type]) {
      const key = keyOf({ type, subtype });
      const node = catalogue.node(composedSubtypes.get(key) ?? byKey.get(key)?.node.name ?? '');
      if (node) byKey.set(key, { type, subtype, node, curated: true });
    }
  }
  const all = [...byKey.values()].sort((a, b) => rank(a.node) - rank(b.node));
  const bySubtype = new Map<string, Known[]>();
  const byLoose = new Map<string, Known[]>();
  for (const known of all) {
    add(bySubtype, loose(known.subtype), known);
    add(byLoose, loose(keyOf(known)), known);
  }
  for (const known of own.sort((a, b) => rank(a.node) - rank(b.node))) {
    const { name, title } = known.node;
    for (const text of new Set([name, name.slice(name.lastIndexOf('.') + 1), title].map(loose))) {
      add(byLoose, text, known);
    }
  }
  return { all, byKey, byName: new Map(own.map((known) => [known.node.name, known])), bySubtype, byLoose };
}

function add(map: Map<string, Known[]>, key: string, known: Known): void {
  const there = map.get(key);
  if (!there) map.set(key, [known]);
  else if (!there.includes(known)) there.push(known);
}

/** Lower is likelier if several nodes share a name. */
function rank(node: NodeSummary): number {
  return (
    (node.hidden ? 8 : 0) + (node.deprecated ? 8 : 0) + (node.community ? 4 : 0) + (node.toolOf === undefined ? 0 : 2)
  );
}
