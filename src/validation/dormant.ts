import type { Finding } from './finding.ts';
import { isHandedOn } from './structure/handed-on.ts';
import type { Rule } from './rule.ts';
import { liveNodes } from './connections/reach.ts';
import type { NodeView, Subject } from './subject/subject.ts';

/**
 * Whether the finding is about a node that never runs. n8n starts a run despite errors in nodes that no trigger leads to.
 * When it publishes, it ignores only nodes without any connection and checks all others.
 */
export function isDormant(rule: Rule, { path, node: name }: Pick<Finding, 'path' | 'node'>, subject: Subject): boolean {
  if (subject.purpose === 'save' || name === undefined || stopsAll(rule)) return false;
  const live = liveNodes(subject);
  // If no trigger leads anywhere, the author has yet to connect the nodes, and all of them may be meant to run. But a
  // shared collection of nodes is finished.
  if (!leadsOn(live, subject) && !isHandedOn(subject)) return false;
  const node = nodeAt(path, subject) ?? subject.byName(name);
  if (!node || (rule.group === 'connections' && touches(node, live, subject))) return false;
  const isAlone = subject.from(node).length === 0 && subject.to(node).length === 0;
  // A trigger that leads nowhere starts no other node.
  if (live.has(node)) return subject.purpose === 'run' && isAlone;
  return subject.purpose === 'run' || isAlone;
}

/** A model with a wrong connection to an agent is unreachable because of that very error. */
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

/** n8n does not save the workflow, or does not know the node: then nothing runs. */
function stopsAll({ group, severity, stopsAll: stops }: Rule): boolean {
  if (stops === true) return true;
  const onSave = typeof severity === 'string' ? severity : severity.save;
  return (group === 'structure' || group === 'connections') && onSave === 'error';
}

/** By index, because two nodes may share a name. */
function nodeAt(path: string, { nodes }: Subject): NodeView | undefined {
  const index = /^\/nodes\/(\d+)(?:\/|$)/.exec(path)?.[1];
  if (index === undefined) return undefined;
  const place = Number(index);
  // The list skips nodes without a name, so the node may come earlier than its index.
  let at = Math.min(place, nodes.length - 1);
  while (at > 0 && (nodes[at] as NodeView).index > place) at--;
  return nodes[at]?.index === place ? nodes[at] : undefined;
}
