import { didYouMean, distanceOf, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import type { Catalogue } from '../catalogue.ts';
import { type Known, keyOf, type LookupIndex, lookupIndex } from './lookup-index.ts';
import { loose } from './loose.ts';
import { typeNamed, withoutSuffix } from './type-named.ts';
import { type NodeType, nodeTypes } from '../taxonomy/taxonomy.ts';

/** The result of a lookup: a node, with a warning if its name was corrected, or an error with suggestions. */
export type Lookup =
  | { readonly found: Known; readonly warning?: string }
  | { readonly error: string; readonly suggestions: readonly string[] };

/** Finds a node by any common name: `n8n-nodes-base.slack`, `slack`, `HTTP Request`, `EXTERNAL_ACTION.SLACK`. */
export function findNode(catalogue: Catalogue, text: string): Lookup {
  const index = lookupIndex(catalogue);
  const wanted = text.trim();
  const exact = index.byName.get(wanted) ?? index.byKey.get(wanted);
  if (exact) return { found: exact };
  const broken = catalogue.origin.broken.find(({ name }) => name === wanted);
  if (broken) return leftOut(broken);
  const dot = wanted.indexOf('.');
  const type = dot < 0 ? undefined : typeNamed(wanted.slice(0, dot));
  if (type) return findTyped(catalogue, wanted.slice(0, dot), wanted.slice(dot + 1));
  const named = byNameIn(index, wanted);
  // No warning: omitting the package name is common.
  if (named && (named.node.name.endsWith(`.${wanted}`) || named.node.title === wanted)) return { found: named };
  if (named) return corrected(wanted, named, named.node.name);
  return nearName(index, wanted);
}

/** Finds a node by type and subtype. Accepts n8n names in either place. */
export function findTyped(catalogue: Catalogue, givenType: string, givenSubtype: string): Lookup {
  const index = lookupIndex(catalogue);
  const exact = index.byKey.get(`${givenType}.${givenSubtype}`);
  if (exact) return { found: exact };
  const given = { type: givenType.trim(), subtype: givenSubtype.trim() };
  const type = typeNamed(given.type);
  if (type) {
    const below = index.byLoose.get(loose(`${type}.${withoutSuffix(given.subtype)}`))?.[0];
    if (below) return { found: below, warning: spelling(given, below) };
    const longer = beginning(index, type, withoutSuffix(given.subtype));
    if (longer) return corrected(`${given.type}.${given.subtype}`, longer, keyOf(longer));
  }
  const elsewhere = elsewhereIn(index, given, type);
  if (elsewhere) return elsewhere;
  return nearTyped(index, given, type);
}

function byNameIn(index: LookupIndex, text: string): Known | undefined {
  const wanted = loose(withoutSuffix(text));
  return wanted === '' ? undefined : (index.byLoose.get(wanted) ?? index.bySubtype.get(wanted))?.[0];
}

/** The only subtype that starts with this: `TOOL.SLACK` finds `SLACK_MCP_TOOL`. */
function beginning(index: LookupIndex, type: NodeType, subtype: string): Known | undefined {
  const start = loose(subtype);
  if (start === '') return undefined;
  const longer = index.all.filter((known) => known.type === type && loose(known.subtype).startsWith(start));
  const ours = longer.filter(({ curated }) => curated);
  return longer.length === 1 ? longer[0] : ours.length === 1 ? ours[0] : undefined;
}

/** An n8n name given as type or subtype, or a subtype that belongs to another type. */
function elsewhereIn(
  index: LookupIndex,
  { type: givenType, subtype }: { type: string; subtype: string },
  type: NodeType | undefined,
): Lookup | undefined {
  const exact = index.byName.get(subtype) ?? index.byName.get(givenType);
  if (exact) return corrected(exact.node.name, exact, keyOf(exact));
  const moved = index.bySubtype.get(loose(withoutSuffix(subtype))) ?? [];
  const [first, ...others] = moved;
  if (first) {
    const also = others.length === 0 ? '' : ` There is also ${others.map(keyOf).slice(0, 3).join(', ')}.`;
    const place = `${first.subtype} belongs to ${first.type}${type ? `, not to ${type}` : ''}.`;
    return { found: first, warning: `${arrow(`${givenType}.${subtype}`, keyOf(first))} ${place}${also}` };
  }
  const named = byNameIn(index, subtype) ?? (type ? undefined : byNameIn(index, givenType));
  return named && corrected(byNameIn(index, subtype) ? subtype : givenType, named, keyOf(named));
}

function nearTyped(index: LookupIndex, given: { type: string; subtype: string }, type: NodeType | undefined): Lookup {
  const candidates = type ? index.all.filter((known) => known.type === type) : index.all;
  const wanted = withoutSuffix(given.subtype);
  const near = closest(wanted, candidates, ({ subtype }) => subtype);
  if (near) return corrected(`${given.type}.${given.subtype}`, near, keyOf(near));
  const known = type ? '' : `${shown(given.type)} is not a type. The types are ${nodeTypes.join(', ')}.`;
  // Reversed, because the last entry of a Map wins: if several share a name, the likeliest is listed first.
  const keys = new Map(candidates.toReversed().map((one) => [one.subtype, keyOf(one)]));
  const named = wanted === '' ? [] : nearestNames(wanted, keys.keys()).map((subtype) => keys.get(subtype) as string);
  return unknown(`${given.type}.${given.subtype}`, named, known);
}

function nearName(index: LookupIndex, wanted: string): Lookup {
  const short = (known: Known) => known.node.name.slice(known.node.name.lastIndexOf('.') + 1);
  const own = [...index.byName.values()].filter(({ node }) => node.toolOf === undefined);
  const text = withoutSuffix(wanted.slice(wanted.lastIndexOf('.') + 1));
  const near = closest(text, own, short) ?? closest(text, own, ({ subtype }) => subtype);
  if (near) return corrected(wanted, near, near.node.name);
  const names = new Map(own.map((known) => [short(known), known.node.name]));
  const named = text === '' ? [] : nearestNames(text, names.keys()).map((name) => names.get(name) as string);
  return unknown(wanted, [...new Set([...holding(index, text), ...named])].slice(0, SUGGESTED));
}

const SUGGESTED = 3;

/** "http" more likely means HTTP_REQUEST than a typo of FTP. Curated subtypes first, then names that start with it. */
function holding(index: LookupIndex, text: string): string[] {
  const part = loose(text);
  if (part.length < 3) return [];
  const place = ({ subtype, curated }: Known) => (curated ? 0 : 2) + (loose(subtype).startsWith(part) ? 0 : 1);
  return index.all
    .filter(({ subtype, node }) => node.toolOf === undefined && !node.hidden && loose(subtype).includes(part))
    .toSorted((a, b) => place(a) - place(b))
    .map((known) => (known.curated ? keyOf(known) : known.node.name));
}

/** The only name within a typo's distance. Anything further would be a guess, and the caller guesses better. */
function closest(wanted: string, among: readonly Known[], nameOf: (known: Known) => string): Known | undefined {
  const target = loose(wanted);
  const most = Math.min(2, Math.floor(target.length / 4));
  if (most === 0 || target.length > 100) return undefined;
  let best: { known: Known; distance: number; alone: boolean } | undefined;
  for (const known of among) {
    const name = loose(nameOf(known));
    if (Math.abs(name.length - target.length) > most) continue;
    const distance = distanceOf(target, name);
    if (distance > most || (best && distance > best.distance)) continue;
    const alone = !best || distance < best.distance || best.known.node.name === known.node.name;
    if (!best || distance < best.distance) best = { known, distance, alone };
    else best = { ...best, alone: best.alone && alone };
  }
  return best?.alone ? best.known : undefined;
}

const arrow = (from: string, to: string): string => `Auto-corrected: '${shown(from)}' → '${to}'.`;

function corrected(from: string, found: Known, to: string): Lookup {
  return {
    found,
    warning: `${arrow(from, to)} Please use node_type '${found.type}' with subtype '${found.subtype}', or node '${found.node.name}'.`,
  };
}

function spelling(given: { type: string; subtype: string }, found: Known): string {
  const parts = [
    [given.type, found.type],
    [given.subtype, found.subtype],
  ] as const;
  const wrong = parts.filter(([was, is]) => was !== is);
  const advice = wrong.some(([was]) => withoutSuffix(was) !== was)
    ? "Please use correct format without '_NODE' suffix."
    : 'Please use capitals and underscores, as here.';
  return [...wrong.map(([was, is]) => arrow(was, is)), advice].join(' ');
}

/** The catalogue left this node out, although n8n may still run it. */
function leftOut({ name, reason }: { readonly name: string; readonly reason: string }): Lookup {
  const advice = 'Only its author can fix this. After updating the package, run `sluice nodes sync`.';
  return { error: `The description of ${shown(name)} is unusable: ${reason}. ${advice}`, suggestions: [] };
}

function unknown(asked: string, suggestions: readonly string[], known = ''): Lookup {
  const next = 'search_nodes finds nodes by plain words; get_node_types lists the subtypes of a type.';
  return { error: sentences(`There is no node '${shown(asked)}'.`, known, didYouMean(suggestions), next), suggestions };
}
