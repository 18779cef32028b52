import { nearestNames } from '../../kernel/nearest-names.ts';
import type { Catalogue, NodeSummary } from '../../nodes/catalogue.ts';

/** What an unknown type probably means. */
export interface TypeMeant {
  /** The same name with its real package or spelling. */
  readonly certain?: string;
  /** Otherwise, similar names. */
  readonly near: readonly string[];
  /** n8n had such a node; this one took its place and does the same. */
  readonly successor?: string;
}

interface Index {
  /** Cached results, so that the same typo in many workflows is looked up once. */
  readonly compared: Map<string, TypeMeant>;
  readonly byBare: ReadonlyMap<string, readonly NodeSummary[]>;
  readonly bare: readonly string[];
}

const indexes = new WeakMap<Catalogue, Index>();

/** `n8n-nodes-base.httpRequest`, `nodes-base/HttpRequest` and `http-request` are `httprequest` here. */
const bareName = (type: string): string =>
  type
    .slice(Math.max(type.lastIndexOf('.'), type.lastIndexOf('/')) + 1)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');

/** Comparing one name with all others takes a millisecond: ten thousand unknown types would take ten seconds. */
const MOST_COMPARED = 50;
const MOST_KEPT = 1000;

export function typesMeant(catalogue: Catalogue): (type: string) => TypeMeant {
  const known = new Map<string, TypeMeant>();
  return (type) => {
    let meant = known.get(type);
    if (!meant) known.set(type, (meant = find(catalogue, type, known.size < MOST_COMPARED)));
    return meant;
  };
}

/** Types that n8n no longer has, and their replacements. */
const retired: ReadonlyMap<string, string> = new Map([['start', 'n8n-nodes-base.manualTrigger']]);

/** The type that replaces one of n8n's own that is gone. */
export const successorOf = (type: string): string | undefined =>
  type.startsWith('n8n-nodes-base.') ? retired.get(bareName(type)) : undefined;

function find(catalogue: Catalogue, type: string, compare: boolean): TypeMeant {
  const index = indexOf(catalogue);
  const bare = bareName(type);
  const same = index.byBare.get(bare) ?? [];
  const inPackage = same.filter((node) => looksLike(type, node.package));
  const [certain] = inPackage.length > 0 ? inPackage : same;
  // Two packages may each have a node of this name. Then the prefix decides.
  if (certain && (inPackage.length === 1 || same.length === 1)) return { certain: certain.name, near: [] };
  if (same.length > 0) return { near: same.map(({ name }) => name) };
  const successor = retired.get(bare);
  if (successor !== undefined) return { near: [successor], successor };
  if (!compare) return { near: [] };
  const before = index.compared.get(bare);
  if (before) return before;
  const near = nearestNames(bare, index.bare).flatMap((name) => index.byBare.get(name) ?? []);
  const meant = { near: near.slice(0, 3).map(({ name }) => name) };
  if (index.compared.size < MOST_KEPT) index.compared.set(bare, meant);
  return meant;
}

/** `nodes-langchain.agent` means the package `@n8n/n8n-nodes-langchain`. */
function looksLike(type: string, packageName: string): boolean {
  const prefix = type.slice(0, Math.max(type.lastIndexOf('.'), type.lastIndexOf('/')));
  const own = prefix.slice(prefix.lastIndexOf('/') + 1).replace(/^n8n-/, '');
  return own !== '' && packageName.slice(packageName.lastIndexOf('/') + 1).replace(/^n8n-/, '') === own;
}

function indexOf(catalogue: Catalogue): Index {
  let index = indexes.get(catalogue);
  if (!index) {
    const byBare = new Map<string, NodeSummary[]>();
    for (const node of catalogue.nodes()) {
      const bare = bareName(node.name);
      const there = byBare.get(bare);
      if (there) there.push(node);
      else byBare.set(bare, [node]);
    }
    indexes.set(catalogue, (index = { byBare, bare: [...byBare.keys()], compared: new Map() }));
  }
  return index;
}
