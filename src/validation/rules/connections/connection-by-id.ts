import type { LikelyFix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { Subject } from '../../subject/subject.ts';
import { rawEntries, rawSources } from '../../connections/raw-connections.ts';

/** The one slip that everybody makes who writes workflows by hand. */
export const connectionById: Rule = {
  id: 'connection-by-id',
  group: 'connections',
  title: 'Connections name nodes by their name, not by their id.',
  severity: 'error',
  check(subject, report) {
    const { workflow, byName } = subject;
    const nameOf = namesById(subject);
    for (const [source, below] of rawSources(workflow)) {
      const name = byName(source) ? undefined : nameOf.get(source);
      if (name === undefined) continue;
      const path = pointer('/connections', source);
      const isFree = !Object.hasOwn(own(workflow, 'connections') as object, name);
      const fix: LikelyFix = {
        description: `Connect from "${name}".`,
        safe: false,
        changes,
        patch: [
          { op: 'add', path: pointer('/connections', name), value: below },
          { op: 'remove', path },
        ],
      };
      report({
        path,
        node: name,
        message: `Connections go by name, and this is the id of "${name}". Use the name.`,
        ...(isFree && { fix }),
      });
    }
    for (const { value, pointer: base } of rawEntries(subject)) {
      const target = isRecord(value) ? own(value, 'node') : undefined;
      if (typeof target !== 'string' || byName(target)) continue;
      const name = nameOf.get(target);
      if (name === undefined) continue;
      const path = `${base}/node`;
      report({
        path,
        node: name,
        message: `Connections go by name, and this is the id of "${name}". Use the name.`,
        fix: {
          description: `Connect to "${name}".`,
          safe: false,
          changes,
          patch: [{ op: 'replace', path, value: name }],
        },
      });
    }
  },
};

const changes = 'n8n does not save the workflow now; then items go along this connection.';

const known = new WeakMap<Subject, ReadonlyMap<string, string>>();

export function namesById(subject: Subject): ReadonlyMap<string, string> {
  let names = known.get(subject);
  if (!names) known.set(subject, (names = found(subject)));
  return names;
}

/** An id that two nodes have says nothing. */
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
