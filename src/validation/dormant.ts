import type { Finding } from './finding.ts';
import { isHandedOn } from './structure/handed-on.ts';
import type { Rule } from './rule.ts';
import { liveNodes } from './connections/reach.ts';
import type { NodeView, Subject } from './subject/subject.ts';

/**
 * Is this a fault of a node that never runs? n8n begins a run in spite of whatever is wrong with a node that no trigger
 * leads to. It publishes only in spite of one that is connected to nothing: it looks at every other.
 */
export function isDormant(rule: Rule, { path, node: name }: Pick<Finding, 'path' | 'node'>, subject: Subject): boolean {
  if (subject.purpose === 'save' || name === undefined || stopsAll(rule)) return false;
  const live = liveNodes(subject);
  // Where no trigger leads anywhere, somebody has yet to connect the nodes, and all of them may be meant to run; a
  // collection of nodes that was handed on is finished.
  if (!leadsOn(live, subject) && !isHandedOn(subject)) return false;
  const node = nodeAt(path, subject) ?? subject.byName(name);
  if (!node || (rule.group === 'connections' && touches(node, live, subject))) return false;
  const isAlone = subject.from(node).length === 0 && subject.to(node).length === 0;
  // A trigger that leads nowhere begins no run of the others.
  if (live.has(node)) return subject.purpose === 'run' && isAlone;
  return subject.purpose === 'run' || isAlone;
}

/** A model that is connected to an agent in a wrong way is not reached because of that very fault. */
function touches(node: NodeView, live: ReadonlySet<NodeView>, { from, to }: Subject): boolean {
  return from(node).some(({ target }) => live.has(target)) || to(node).some(({ source }) => live.has(source));
}

const known = new WeakMap<ReadonlySet<NodeView>, boolean>();

function leadsOn(live: ReadonlySet<NodeView>, { edges }: Subject): boolean {
  let leads = known.get(live);
  if (leads === undefined) {
    leads = edges.some(({ source, target }) => live.has(source) && live.has(target) && source !== target);
    known.set(live, leads);
  }
  return leads;
}

/** n8n does not save it, or it does not know the node: then nothing of the workflow runs. */
function stopsAll({ group, severity, stopsAll: stops }: Rule): boolean {
  if (stops === true) return true;
  const onSave = typeof severity === 'string' ? severity : severity.save;
  return (group === 'structure' || group === 'connections') && onSave === 'error';
}

/** Two may have one name. */
function nodeAt(path: string, { nodes }: Subject): NodeView | undefined {
  const index = /^\/nodes\/(\d+)(?:\/|$)/.exec(path)?.[1];
  if (index === undefined) return undefined;
  const place = Number(index);
  // Nodes without a name are left out of the list: it may be further ahead than where it stands.
  let at = Math.min(place, nodes.length - 1);
  while (at > 0 && (nodes[at] as NodeView).index > place) at--;
  return nodes[at]?.index === place ? nodes[at] : undefined;
}
