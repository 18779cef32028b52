import type { Edge, NodeView, Subject } from '../subject/subject.ts';

export interface Reach {
  /** Nodes that can start a run, including disabled ones. */
  readonly triggers: readonly NodeView[];
  /** Nodes that can take part in a run: those that items from a trigger reach, and their sub-nodes. */
  readonly reached: ReadonlySet<NodeView>;
}

const known = new WeakMap<Subject, Reach>();
const live = new WeakMap<Subject, ReadonlySet<NodeView>>();

export function reachOf(subject: Subject): Reach {
  let reach = known.get(subject);
  if (!reach) known.set(subject, (reach = find(subject)));
  return reach;
}

/** Nodes that a run reaches now: a disabled trigger starts none. */
export function liveNodes(subject: Subject): ReadonlySet<NodeView> {
  let nodes = live.get(subject);
  if (!nodes) {
    const { triggers, reached } = reachOf(subject);
    const enabled = triggers.filter(({ disabled }) => !disabled);
    nodes = enabled.length === triggers.length ? reached : reachedFrom(enabled, subject);
    live.set(subject, nodes);
  }
  return nodes;
}

function find(subject: Subject): Reach {
  const triggers = subject.nodes.filter((node) => isStart(node, subject));
  return { triggers, reached: reachedFrom(triggers, subject) };
}

function reachedFrom(triggers: readonly NodeView[], subject: Subject): ReadonlySet<NodeView> {
  const reached = new Set<NodeView>(triggers);
  // Iterating over a set includes nodes that the loop adds.
  for (const node of reached) {
    for (const edge of subject.from(node)) if (carriesItems(edge)) reached.add(edge.target);
    for (const edge of subject.to(node)) if (!carriesItems(edge)) reached.add(edge.source);
  }
  return reached;
}

/** A node of an unknown type without inputs may be a trigger. */
function isStart(node: NodeView, { from, to }: Subject): boolean {
  if (node.sticky) return false;
  if (node.trigger) return true;
  return node.summary === undefined && to(node).length === 0 && from(node).some(carriesItems);
}

/** Includes connections of a wrong kind: another rule reports those, so do not report every node after them. */
function carriesItems({ kind, targetKind }: Edge): boolean {
  return kind === 'main' || targetKind === 'main' || !kind.startsWith('ai_');
}
