import type { Edge, NodeView, Subject } from '../subject/subject.ts';

export interface Reach {
  /** Where a run can begin, also those that are switched off for now. */
  readonly triggers: readonly NodeView[];
  /** What can take part in a run: along items from a trigger, and whatever serves such a node. */
  readonly reached: ReadonlySet<NodeView>;
}

const known = new WeakMap<Subject, Reach>();
const live = new WeakMap<Subject, ReadonlySet<NodeView>>();

export function reachOf(subject: Subject): Reach {
  let reach = known.get(subject);
  if (!reach) known.set(subject, (reach = find(subject)));
  return reach;
}

/** What a run can come to as things are: a trigger that is switched off begins none. */
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
  // A set goes on over what is added to it meanwhile.
  for (const node of reached) {
    for (const edge of subject.from(node)) if (carriesItems(edge)) reached.add(edge.target);
    for (const edge of subject.to(node)) if (!carriesItems(edge)) reached.add(edge.source);
  }
  return reached;
}

/** Of a type that nobody knows, something that only leads on may well be a trigger. */
function isStart(node: NodeView, { from, to }: Subject): boolean {
  if (node.sticky) return false;
  if (node.trigger) return true;
  return node.summary === undefined && to(node).length === 0 && from(node).some(carriesItems);
}

/** Or was meant to: of a connection of a wrong kind another rule speaks, and not of all that lies behind it. */
function carriesItems({ kind, targetKind }: Edge): boolean {
  return kind === 'main' || targetKind === 'main' || !kind.startsWith('ai_');
}
