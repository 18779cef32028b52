import { pointer } from '../json/json-pointer.ts';
import { isRecord, own, type Rec } from '../json/record.ts';
import type { Subject } from '../subject/subject.ts';

/** One entry below `connections`, as it is written, whatever it is. */
export interface RawEntry {
  readonly source: string;
  readonly kind: string;
  readonly value: unknown;
  /** `/connections/Name/main/0/1` */
  readonly pointer: string;
}

const known = new WeakMap<Subject, readonly RawEntry[]>();

/** Every end that somebody wrote in the right place; what stands elsewhere, `connection-shape` names. */
export function rawEntries(subject: Subject): readonly RawEntry[] {
  let entries = known.get(subject);
  if (!entries) known.set(subject, (entries = found(subject.workflow)));
  return entries;
}

function found(workflow: Rec): RawEntry[] {
  const entries: RawEntry[] = [];
  for (const [source, kinds] of rawSources(workflow)) {
    if (!isRecord(kinds)) continue;
    for (const kind of Object.keys(kinds)) {
      const outputs = kinds[kind];
      if (!Array.isArray(outputs)) continue;
      const base = pointer('/connections', source, kind);
      for (const [output, targets] of (outputs as unknown[]).entries()) {
        if (!Array.isArray(targets)) continue;
        for (const [place, value] of (targets as unknown[]).entries()) {
          entries.push({ source, kind, value, pointer: `${base}/${output}/${place}` });
        }
      }
    }
  }
  return entries;
}

/** By name of the source, whatever is below it. */
export function rawSources(workflow: Rec): [source: string, below: unknown][] {
  const connections = own(workflow, 'connections');
  return isRecord(connections) ? Object.entries(connections) : [];
}
