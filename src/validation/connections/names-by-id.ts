import { own } from '../json/record.ts';
import type { Subject } from '../subject/subject.ts';

const known = new WeakMap<Subject, ReadonlyMap<string, string>>();

export function namesById(subject: Subject): ReadonlyMap<string, string> {
  let names = known.get(subject);
  if (!names) known.set(subject, (names = found(subject)));
  return names;
}

/** Skips ids that two nodes share. */
function found({ nodes }: Subject): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const twice = new Set<string>();
  for (const { raw, name } of nodes) {
    const id = own(raw, 'id');
    if (typeof id !== 'string' || id === '') continue;
    if (names.has(id)) twice.add(id);
    names.set(id, name);
  }
  for (const id of twice) names.delete(id);
  return names;
}
