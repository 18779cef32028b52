import type { Workflow } from '../client/shapes.ts';
import { versionsOf } from '../find/scan.ts';

/** How one workflow uses one type of node in one version. */
export interface NodeUse {
  readonly type: string;
  /** A node without a version has version 1, as in n8n. */
  readonly version: number;
  readonly names: readonly string[];
  readonly disabled: number;
  /** Only in the live version, not in the draft. */
  readonly live?: true;
}

/** The wanted nodes of a workflow by type and version. Nodes that only the live version has are separate. */
export function usesIn(workflow: Workflow, meant: (type: string) => boolean): NodeUse[] {
  const saved = new Set<string>();
  return versionsOf(workflow).flatMap(({ of, nodes }) => {
    const uses = new Map<string, { type: string; version: number; names: string[]; disabled: number }>();
    for (const { type, typeVersion: version = 1, name, disabled } of nodes) {
      if (!meant(type)) continue;
      const key = JSON.stringify([type, version]);
      if (of === 'saved') saved.add(key);
      else if (saved.has(key)) continue;
      const use = uses.get(key) ?? { type, version, names: [], disabled: 0 };
      uses.set(key, use);
      use.names.push(name);
      if (disabled) use.disabled++;
    }
    return [...uses.values()].map((use): NodeUse => (of === 'live' ? { ...use, live: true } : use));
  });
}

export interface TypeCount {
  readonly type: string;
  readonly workflows: number;
  /** How many of these workflows are live. */
  readonly live: number;
  readonly nodes: number;
  /** Ascending, with the number of nodes in each. */
  readonly versions: { readonly version: number; readonly nodes: number }[];
}

/** Counts the node types over all workflows, most used first. */
export function countTypes(
  all: readonly { readonly active: boolean; readonly uses: readonly NodeUse[] }[],
): TypeCount[] {
  const counts = new Map<string, { workflows: number; live: number; nodes: number; versions: Map<number, number> }>();
  for (const { active, uses } of all) {
    const seen = new Set<string>();
    for (const { type, version, names } of uses) {
      const count = counts.get(type) ?? { workflows: 0, live: 0, nodes: 0, versions: new Map<number, number>() };
      counts.set(type, count);
      count.nodes += names.length;
      count.versions.set(version, (count.versions.get(version) ?? 0) + names.length);
      if (seen.has(type)) continue;
      seen.add(type);
      count.workflows++;
      if (active) count.live++;
    }
  }
  return [...counts]
    .map(([type, { versions, ...count }]) => ({
      type,
      ...count,
      versions: [...versions].sort(([a], [b]) => a - b).map(([version, nodes]) => ({ version, nodes })),
    }))
    .sort((a, b) => b.workflows - a.workflows || b.nodes - a.nodes || (a.type < b.type ? -1 : 1));
}
