import { AppError } from '../../kernel/errors.ts';
import { createPace } from '../../kernel/pace.ts';
import { linksOf } from '../../nodes/links.ts';
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

/** More lines than that are no picture, and looking for secrets in all of them takes long. */
const MOST_LINKS = 20_000;

/**
 * Two versions for people: in words and in full, with a stand-in for each secret that somebody typed into a node. Others run
 * in between.
 */
export async function shownDiff(before: Comparable, after: Comparable): Promise<ShownDiff> {
  const pace = createPace();
  const most = Math.max(...[before, after].map(({ connections }) => linksOf(connections).length));
  if (most > MOST_LINKS)
    throw new AppError(
      'too_large',
      `This workflow has ${most} connections, and up to ${MOST_LINKS} are shown side by side. n8n_diff_versions lists what changed.`,
    );
  let hidesSecrets = false;
  const tell: Tell = (what) => {
    hidesSecrets ||= what === 'secret';
  };
  const cleanText = <T>(value: T): T => cleanTexts(value, 'the workflow', { secrets: true, hosts: false }, tell);
  const clean = async ({ nodes, connections, ...content }: Comparable): Promise<Comparable> => ({
    ...cleanText(content),
    nodes: await Array.fromAsync(nodes, async (node) => {
      await pace();
      return cleanNode(node, tell);
    }),
    connections: Object.fromEntries(
      await Array.fromAsync(Object.entries(connections), async ([from, kinds]) => {
        await pace();
        return Object.entries(cleanText({ [from]: kinds }))[0] as [string, typeof kinds];
      }),
    ),
  });
  const [old, now] = [await clean(before), await clean(after)];
  await pace();
  const diff = diffWorkflows(old, now);
  return {
    changes: [...describeDiff(diff), ...changedSecrets(diffWorkflows(nodesOf(before), nodesOf(after)), diff)],
    before: sideOf(old, now),
    after: sideOf(now, old),
    hidesSecrets,
  };
}

const nodesOf = ({ nodes }: Comparable): Comparable => ({ nodes, connections: {} });

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
