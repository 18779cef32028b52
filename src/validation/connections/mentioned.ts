import { pointer } from '../json/json-pointer.ts';
import { isRecord } from '../json/record.ts';
import type { NodeView, Subject } from '../subject/subject.ts';
import { namesById } from './names-by-id.ts';
import { nodesMeant } from './node-meant.ts';
import { rawSources } from './raw-connections.ts';

const known = new WeakMap<Subject, ReadonlySet<NodeView>>();

/**
 * The nodes at the intended ends of faulty connections. Report the connection, and not that these nodes are
 * unconnected.
 */
export function mentioned(subject: Subject): ReadonlySet<NodeView> {
  let nodes = known.get(subject);
  if (!nodes) known.set(subject, (nodes = find(subject)));
  return nodes;
}

function find(subject: Subject): ReadonlySet<NodeView> {
  const found = new Set<NodeView>();
  const sound = new Set(subject.edges.map((edge) => edge.pointer));
  const ids = namesById(subject);
  const meantBy = nodesMeant(subject);
  const add = (name: string) => {
    const { byName } = subject;
    const node = byName(name) ?? byName(ids.get(name) ?? '') ?? byName(meantBy(name).near[0] ?? '');
    if (node) found.add(node);
  };
  for (const [source, below] of rawSources(subject.workflow)) {
    let isFaulty = !subject.byName(source);
    visit(below, pointer('/connections', source), sound, (name) => {
      isFaulty = true;
      add(name);
    });
    // The targets of a missing source count as mentioned, too.
    if (isFaulty) add(source);
  }
  return found;
}

function visit(value: unknown, at: string, sound: ReadonlySet<string>, name: (name: string) => void): void {
  if (sound.has(at)) return;
  if (typeof value === 'string') name(value);
  else if (Array.isArray(value)) value.forEach((one: unknown, index) => visit(one, pointer(at, index), sound, name));
  else if (isRecord(value)) {
    const keys = Object.hasOwn(value, 'node') ? ['node'] : Object.keys(value);
    for (const key of keys) visit(value[key], pointer(at, key), sound, name);
  }
}
