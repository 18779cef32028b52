import type { Catalogue } from '../../nodes/catalogue.ts';
import { edgesOf } from '../connections/edges.ts';
import type { Purpose } from '../finding.ts';
import { nodeView } from './node-view.ts';
import type { ReadProblem } from './read-problem.ts';
import { isRecord, own, type Rec } from '../json/record.ts';
import type { Edge, NodeView, Subject, World } from './subject.ts';
import { upstreamOf } from '../connections/upstream.ts';

/** More than any usable workflow has. Further nodes are not checked, and a finding says so. */
const MOST_NODES = 20_000;

export interface Given {
  readonly workflow: Rec;
  readonly catalogue: Catalogue;
  readonly purpose?: Purpose;
  readonly world?: World | undefined;
  readonly problems?: readonly ReadProblem[];
}

/** Prepares a workflow for the rules. Expects plain JSON (see `read-workflow.ts`). */
export function prepare({ workflow, catalogue, purpose = 'run', world, problems = [] }: Given): Subject {
  const given = own(workflow, 'nodes');
  const listed: readonly unknown[] = Array.isArray(given) ? given : [];
  const nodes = viewsOf(listed.slice(0, MOST_NODES), catalogue);
  // Use the first of two nodes with the same name. A rule reports the duplicate.
  const names = new Map<string, NodeView>();
  for (const node of nodes) if (!names.has(node.name)) names.set(node.name, node);
  const edges = edgesOf(own(workflow, 'connections'), names);
  const leaving = grouped(edges, ({ source }) => source);
  const arriving = grouped(edges, ({ target }) => target);
  let upstream: ReturnType<typeof upstreamOf> | undefined;
  return {
    purpose,
    catalogue,
    workflow,
    nodes,
    byName: (name) => names.get(name),
    edges,
    from: (node) => leaving.get(node) ?? [],
    to: (node) => arriving.get(node) ?? [],
    upstream: (node) => (upstream ??= upstreamOf(nodes, edges))(node),
    problems: listed.length > MOST_NODES ? [...problems, tooMany(listed.length)] : problems,
    ...(world && { world }),
  };
}

function viewsOf(listed: readonly unknown[], catalogue: Catalogue): NodeView[] {
  const views: NodeView[] = [];
  for (const [index, raw] of listed.entries()) {
    if (isRecord(raw) && hasNameAndType(raw)) views.push(nodeView(raw, index, catalogue));
  }
  return views;
}

function hasNameAndType(raw: Rec): raw is Rec & { name: string; type: string } {
  return typeof own(raw, 'name') === 'string' && typeof own(raw, 'type') === 'string';
}

function grouped(edges: readonly Edge[], end: (edge: Edge) => NodeView): ReadonlyMap<NodeView, readonly Edge[]> {
  const groups = new Map<NodeView, Edge[]>();
  for (const edge of edges) {
    const group = groups.get(end(edge));
    if (group) group.push(edge);
    else groups.set(end(edge), [edge]);
  }
  return groups;
}

function tooMany(count: number): ReadProblem {
  return {
    path: '/nodes',
    message: `${count} nodes are too many: only the first ${MOST_NODES} were checked. Split the workflow.`,
  };
}
