import { entriesOf, type RawEntry } from './edges.ts';
import { isRecord, own, type Rec } from '../json/record.ts';
import type { Subject } from '../subject/subject.ts';

const known = new WeakMap<Subject, readonly RawEntry[]>();

/** Cached for all rules. */
export function rawEntries(subject: Subject): readonly RawEntry[] {
  let entries = known.get(subject);
  if (!entries) known.set(subject, (entries = entriesOf(own(subject.workflow, 'connections'))));
  return entries;
}

/** The entries of `connections` by source name, unchecked. */
export function rawSources(workflow: Rec): [source: string, below: unknown][] {
  const connections = own(workflow, 'connections');
  return isRecord(connections) ? Object.entries(connections) : [];
}
