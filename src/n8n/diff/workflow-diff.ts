import { type Link, linksOf, linkText } from '../../nodes/links.ts';
import type { Node, Workflow } from '../client/shapes.ts';
import { type Change, isSame, valueChanges } from './value-changes.ts';

/** A workflow, possibly incomplete: a version from n8n's history has only nodes and connections. */
export type Comparable = Pick<Workflow, 'nodes' | 'connections'> &
  Partial<Pick<Workflow, 'name' | 'description' | 'settings' | 'staticData' | 'pinData' | 'tags'>> & {
    readonly nodeGroups?: unknown;
  };

export interface NodeNote {
  readonly name: string;
  readonly type: string;
}

export interface NodeDiff extends NodeNote {
  readonly renamedFrom?: string;
  readonly moved?: { readonly from: readonly number[] | undefined; readonly to: readonly number[] | undefined };
  /** Everything else in the node: parameters, credentials, notes, disabled. */
  readonly changes: readonly Change[];
}

export interface WorkflowDiff {
  /** Name, description and settings. */
  readonly properties: readonly Change[];
  readonly nodes: {
    readonly added: readonly NodeNote[];
    readonly removed: readonly NodeNote[];
    readonly changed: readonly NodeDiff[];
  };
  readonly connections: { readonly added: readonly Link[]; readonly removed: readonly Link[] };
  /** Names of the nodes whose pinned data differs. */
  readonly pinned: readonly string[];
  readonly tags: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Whether the frames around nodes differ. */
  readonly groups: boolean;
  /** Whether the static data, which the workflow keeps between runs, differs. */
  readonly staticData: boolean;
}

/** The difference in nodes and parameters. Ignores fields that one side does not have. */
export function diffWorkflows(before: Comparable, after: Comparable): WorkflowDiff {
  const pairs = paired(before.nodes, after.nodes);
  const oldNodes = new Set(pairs.values());
  // Renaming a node does not change its connections.
  const renamed = new Map([...pairs].map(([now, old]) => [old.name, now.name]));
  const present = (name: string) => renamed.get(name) ?? name;
  const oldLinks = linksOf(before.connections).map((link) => ({
    ...link,
    from: present(link.from),
    to: present(link.to),
  }));
  const links = linksOf(after.connections);
  return {
    properties: (['name', 'description', 'settings'] as const).flatMap((key) =>
      both(before[key], after[key]) ? valueChanges(quiet(before[key]), quiet(after[key]), key) : [],
    ),
    nodes: {
      added: after.nodes.filter((node) => !pairs.has(node)).map(noteOf),
      removed: before.nodes.filter((node) => !oldNodes.has(node)).map(noteOf),
      changed: after.nodes.flatMap((node) => {
        const old = pairs.get(node);
        return old ? nodeDiff(old, node) : [];
      }),
    },
    connections: linksDiff(oldLinks, links),
    pinned: both(before.pinData, after.pinData) ? pinnedChanges(before, after, present) : [],
    tags: both(before.tags, after.tags)
      ? { added: namesBeyond(after, before), removed: namesBeyond(before, after) }
      : { added: [], removed: [] },
    groups: both(before.nodeGroups, after.nodeGroups) && !isSame(quiet(before.nodeGroups), quiet(after.nodeGroups)),
    staticData: both(before.staticData, after.staticData) && !isSame(quiet(before.staticData), quiet(after.staticData)),
  };
}

export function isEmptyDiff(diff: WorkflowDiff): boolean {
  const { properties, nodes, connections, pinned, tags, groups, staticData } = diff;
  const lists = [properties, ...Object.values(nodes), ...Object.values(connections), pinned, ...Object.values(tags)];
  return !staticData && !groups && lists.every((list: readonly unknown[]) => list.length === 0);
}

const both = (before: unknown, after: unknown): boolean => before !== undefined && after !== undefined;

/** n8n writes "none" as null, an empty string or an empty object. */
function quiet(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value;
}

const noteOf = ({ name, type }: Node): NodeNote => ({ name, type });

/** Pairs each node with its earlier self: by id, which survives a rename, otherwise by name. */
function paired(before: readonly Node[], after: readonly Node[]): Map<Node, Node> {
  const byId = new Map(before.filter(({ id }) => id !== undefined).map((node) => [node.id, node]));
  const pairs = new Map<Node, Node>();
  const taken = new Set<Node>();
  const pair = (now: Node, old: Node | undefined) => {
    if (!old || taken.has(old)) return;
    pairs.set(now, old);
    taken.add(old);
  };
  for (const node of after) if (node.id !== undefined) pair(node, byId.get(node.id));
  const byName = new Map(before.filter((node) => !taken.has(node)).map((node) => [node.name, node]));
  for (const node of after) if (!pairs.has(node)) pair(node, byName.get(node.name));
  return pairs;
}

function nodeDiff(before: Node, after: Node): NodeDiff[] {
  const { id: _, name: oldName, position: from, ...old } = before;
  const { id: __, name, position: to, ...now } = after;
  const changes = valueChanges(old, now);
  const moved = !isSame(from, to);
  if (changes.length === 0 && !moved && name === oldName) return [];
  return [
    {
      ...noteOf(after),
      ...(name !== oldName && { renamedFrom: oldName }),
      ...(moved && { moved: { from, to } }),
      changes,
    },
  ];
}

function linksDiff(before: readonly Link[], after: readonly Link[]): WorkflowDiff['connections'] {
  const [old, now] = [before.map(linkText), after.map(linkText)];
  const [known, present] = [new Set(old), new Set(now)];
  return {
    added: after.filter((_, at) => !known.has(now[at] as string)),
    removed: before.filter((_, at) => !present.has(old[at] as string)),
  };
}

function pinnedChanges(before: Comparable, after: Comparable, present: (name: string) => string): string[] {
  const old = new Map(Object.entries(before.pinData ?? {}).map(([name, data]) => [present(name), data]));
  const now = new Map(Object.entries(after.pinData ?? {}));
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => !isSame(old.get(name), now.get(name)));
}

function namesBeyond({ tags }: Comparable, { tags: others }: Comparable): string[] {
  const known = new Set((others ?? []).map(({ name }) => name));
  return (tags ?? []).map(({ name }) => name).filter((name) => !known.has(name));
}
