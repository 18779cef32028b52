import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { type BoundedCache, boundedCache } from '../catalogues/bounded-cache.ts';
import type { Catalogue } from '../catalogue.ts';
import { findNode, findTyped, type Lookup } from '../lookup/corrections.ts';
import { type Known, keyOf } from '../lookup/lookup-index.ts';
import { curatedAlone } from './curated-alone.ts';
import { prepare, type Wanted } from './node-details.ts';
import type { NodeSpec } from './node-spec.ts';
import { page } from './page.ts';
import { type Prepared, prepared } from './prepared.ts';
import { quoted, type Told } from './told.ts';

export interface AskedNode {
  readonly node_type?: string | undefined;
  readonly subtype?: string | undefined;
  readonly node?: string | undefined;
  readonly resource?: string | undefined;
  readonly operation?: string | undefined;
  readonly version?: number | undefined;
}

export interface Asked extends Omit<Wanted, 'version'> {
  readonly nodes: readonly AskedNode[];
  readonly version?: number | undefined;
}

const LIST = 'get_node_details';
/** One node: the default size of a reply. A reply contains its content twice, as data and as text; sizes count both. */
const ONE = 8 * 1024;
/** One curated subtype: fits a single reply, so that its fragment and its text stay together. As data alone it is below 8 KB. */
const CURATED = 17 * 1024;
/** Several nodes, or one in full detail. */
const SEVERAL = 4 * ONE;
/** Nine nodes or more: even ten openings fit. */
const TEN = 5 * ONE;
const CACHE_BYTES = 4 * 1024 * 1024;

export interface Details {
  readonly nodes: NodeSpec[];
  readonly cursor?: string;
}

/** Details of these nodes, up to the size of one reply. */
export const nodeDetails = (catalogue: Catalogue, asked: Asked, cursor?: string): Details =>
  JSON.parse(tellDetails(catalogue, asked, cursor).json) as Details;

/** The same as JSON text, which callers usually pass on without parsing. */
export function tellDetails(catalogue: Catalogue, asked: Asked, cursor?: string, maxKb?: number): Told {
  const { builtAt, n8n } = catalogue.origin;
  const of = { ...asked, builtAt, n8n };
  const { next: told = '' } = placeIn(LIST, of, cursor);
  const offsets = told === '' ? [] : told.split(',').map(Number);
  const all = asked.nodes.map((one) => detailsOf(catalogue, one, asked));
  const { nodes, offsets: next } = page(all, offsets, maxKb === undefined ? limitFor(all, asked) : maxKb * 1024);
  const more = next ? `,"cursor":"${cursorFor(LIST, of, { next: next.join(), skip: 0 })}"` : '';
  const end = `]${more}}`;
  return {
    json: `{"nodes":[${nodes.map(({ json }) => json).join()}${end}`,
    quoted: `${quoted('{"nodes":[')}${nodes.map((node) => node.quoted).join()}${quoted(end)}`,
  };
}

function limitFor([first, ...others]: readonly Prepared[], { detail }: Asked): number {
  if (others.length >= 8) return TEN;
  if (detail === 'full' || others.length > 0) return SEVERAL;
  return first?.curated ? CURATED : ONE;
}

const caches = new WeakMap<Catalogue, BoundedCache<string, Prepared>>();

function detailsOf(catalogue: Catalogue, one: AskedNode, asked: Asked): Prepared {
  let cache = caches.get(catalogue);
  if (!cache) caches.set(catalogue, (cache = boundedCache(CACHE_BYTES)));
  const { resource, operation, version, detail, include_examples, include_schemas } = { ...asked, ...given(one) };
  const wanted = { resource, operation, version, detail, include_examples, include_schemas };
  const key = JSON.stringify([one.node_type, one.subtype, one.node, Object.values(wanted)]);
  const made = cache.get(key, () => {
    const value = fresh(catalogue, one, wanted);
    const { opening, later, pieces } = value;
    return { value, bytes: [opening, later, ...pieces].reduce((sum, { bytes }) => sum + bytes, key.length) };
  });
  return made as Prepared;
}

const given = (one: AskedNode): AskedNode =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));

function fresh(
  catalogue: Catalogue,
  one: AskedNode,
  wanted: Omit<Wanted, 'version'> & { version?: number | undefined },
): Prepared {
  const lookup = meant(catalogue, one);
  if ('error' in lookup) {
    return failure(one.node_type ?? '', one.subtype ?? one.node ?? '', lookup.error, lookup.suggestions);
  }
  const { found, warning } = lookup;
  if (catalogue.curatedOnly) {
    const alone = curatedAlone(catalogue, found, wanted, warning === undefined ? [] : [warning]);
    return 'error' in alone ? failure(found.type, found.subtype, alone.error) : alone;
  }
  if (warning === undefined && Object.entries(plain).every(([key, value]) => wanted[key as keyof Wanted] === value)) {
    const ready = catalogue.essentials?.(essentialsKey(found));
    if (ready !== undefined) return JSON.parse(ready) as Prepared;
  }
  const version = wanted.version ?? found.node.latest;
  if (!found.node.versions.includes(version)) {
    const all = found.node.versions.join(', ');
    return failure(found.type, found.subtype, `${nameOf(found)} has no version ${version}. It has ${all}.`);
  }
  const made = prepare(catalogue, found, { ...wanted, version }, warning === undefined ? [] : [warning]);
  return 'error' in made ? failure(found.type, found.subtype, made.error) : made;
}

/** The usual options, for which details are prepared. */
export const plain = {
  resource: undefined,
  operation: undefined,
  version: undefined,
  detail: 'essentials',
  include_examples: true,
  include_schemas: true,
} as const;

/** Curated details and n8n's own details of the same node have separate keys. */
export const essentialsKey = (found: Known): string => (found.curated ? keyOf(found) : found.node.name);

const nameOf = (found: Known): string => `${keyOf(found)} (${found.node.name})`;

/** Accepts a name in any of the three fields. */
function meant(catalogue: Catalogue, { node_type, subtype, node }: AskedNode): Lookup {
  if (node !== undefined) return findNode(catalogue, node);
  if (node_type !== undefined && subtype !== undefined) return findTyped(catalogue, node_type, subtype);
  const only = node_type ?? subtype;
  if (only !== undefined) return findNode(catalogue, only);
  return { error: 'Set node_type and subtype, or node to an n8n name like n8n-nodes-base.slack.', suggestions: [] };
}

/** The nodes that exist of those asked for, each once. */
export const namesMeant = (catalogue: Catalogue, asked: readonly AskedNode[]): string[] => [
  ...new Set(
    asked.flatMap((one) => {
      const lookup = meant(catalogue, one);
      return 'found' in lookup ? [lookup.found.node.name] : [];
    }),
  ),
];

function failure(node_type: string, subtype: string, error: string, suggestions: readonly string[] = []): Prepared {
  return prepared({
    identity: { node_type: node_type.slice(0, 100), subtype: subtype.slice(0, 100) },
    opening: { error, ...(suggestions.length > 0 && { suggestions: [...suggestions] }) },
  });
}
