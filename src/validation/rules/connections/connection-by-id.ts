import type { LikelyFix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { namesById } from '../../connections/names-by-id.ts';
import { rawEntries, rawSources } from '../../connections/raw-connections.ts';

/** The most common mistake in hand-written workflows. */
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
        message: `Connections use node names, but this is the id of "${name}". Use the name.`,
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
        message: `Connections use node names, but this is the id of "${name}". Use the name.`,
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

const changes = 'Items flow along this connection. Now n8n does not save the workflow.';
