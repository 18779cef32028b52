import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { Port } from '../description.ts';
import { type Attachable, attachables } from './attachment-table.ts';
import { hosts, preferred } from './preferred.ts';
import { wholeName } from './whole-name.ts';

/** Nodes that may be attached to this input: preferred ones first, then n8n's own, then community nodes. */
export function attachable(catalogue: Catalogue, { type, filter }: Port): Attachable[] {
  const first = (preferred.get(type) ?? []).map(wholeName);
  const owners = attachables(catalogue, 'gives', type);
  const allowed = owners.filter(
    ({ node: { name } }) => (filter?.nodes?.includes(name) ?? true) && !filter?.excludedNodes?.includes(name),
  );
  return ordered(allowed, first);
}

/** Nodes that this node can be attached to. */
export function hostsFor(catalogue: Catalogue, name: string, kind: string): Attachable[] {
  const takers = attachables(catalogue, 'takes', kind);
  const allowed = takers.filter(
    ({ node, port: { filter } }) =>
      node.name !== name && (filter?.nodes?.includes(name) ?? true) && !filter?.excludedNodes?.includes(name),
  );
  return ordered(allowed, hosts.map(wholeName));
}

function ordered(owners: readonly Attachable[], first: readonly string[]): Attachable[] {
  const rank = ({ node, parameters }: Attachable): number => {
    const place = first.indexOf(node.name);
    return place >= 0
      ? place
      : 100 + (node.community ? 400 : 0) + (node.toolOf === undefined ? 0 : 200) + (parameters ? 50 : 0);
  };
  return owners.toSorted((a, b) => rank(a) - rank(b) || compare(a.node, b.node));
}

const compare = (a: NodeSummary, b: NodeSummary): number => (a.title < b.title ? -1 : 1);
