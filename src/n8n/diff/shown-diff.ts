import { isNone, sorted } from '../backups/quiet-form.ts';
import { cleanNode } from '../templates/export/clean-node.ts';
import { cleanTexts, type Tell } from '../templates/export/clean-texts.ts';
import { describeDiff } from './describe.ts';
import { type Comparable, diffWorkflows, type WorkflowDiff } from './workflow-diff.ts';

/** What people look at. Pinned data and static data hold what real runs worked on, so they are only mentioned. */
const KEYS = ['name', 'description', 'tags', 'settings', 'nodes', 'connections', 'nodeGroups'] as const;

export interface ShownDiff {
  /** From before to after, in words. */
  readonly changes: readonly string[];
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** Whether a stand-in is shown for something that looks like a secret. */
  readonly hidesSecrets: boolean;
}

/** Two versions for people: in words and in full, with a stand-in for each secret that somebody typed into a node. */
export function shownDiff(before: Comparable, after: Comparable): ShownDiff {
  let hidesSecrets = false;
  const tell: Tell = (what) => {
    hidesSecrets ||= what === 'secret';
  };
  const clean = ({ nodes, ...content }: Comparable): Comparable => ({
    ...cleanTexts(content, 'the workflow', { secrets: true, hosts: false }, tell),
    nodes: nodes.map((node) => cleanNode(node, tell)),
  });
  const [old, now] = [clean(before), clean(after)];
  const diff = diffWorkflows(old, now);
  return {
    changes: [...describeDiff(diff), ...changedSecrets(diffWorkflows(before, after), diff)],
    before: sideOf(old, now),
    after: sideOf(now, old),
    hidesSecrets,
  };
}

/** A secret has the same stand-in before and after, so its change would not show. */
function changedSecrets(real: WorkflowDiff, shown: WorkflowDiff): string[] {
  const known = new Map(
    shown.nodes.changed.map(({ name, changes }) => [name, new Set(changes.map(({ path }) => path))]),
  );
  return real.nodes.changed.flatMap(({ name, changes }) =>
    changes
      .filter(({ path }) => !known.get(name)?.has(path))
      .map(({ path }) => `~ node "${name}": ${path} changed (it holds a secret, which is not shown)`),
  );
}

/** Leaves out what the other side does not have: a version from n8n's history has only nodes and connections. */
function sideOf(side: Comparable, other: Comparable): Record<string, unknown> {
  const present = KEYS.filter(
    (key) => side[key] !== undefined && other[key] !== undefined && !(isNone(side[key]) && isNone(other[key])),
  );
  return Object.fromEntries(
    present.map((key) => [key, key === 'tags' ? (side.tags ?? []).map(({ name }) => name).sort() : sorted(side[key])]),
  );
}
