import { shown } from '../../../kernel/nearest-names.ts';
import type { Fix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { namesById } from '../../connections/names-by-id.ts';
import { adviceOn, nodesMeant } from '../../connections/node-meant.ts';
import { rawSources } from '../../connections/raw-connections.ts';

/** n8n refuses it at create, even when nothing is below it. */
export const unknownConnectionSource: Rule = {
  id: 'unknown-connection-source',
  group: 'connections',
  title: 'Every connection begins at a node of the workflow.',
  severity: 'error',
  fixesSafely: true,
  check(subject, report) {
    const { workflow, byName } = subject;
    const meantBy = nodesMeant(subject);
    const nameOf = namesById(subject);
    for (const [source, below] of rawSources(workflow)) {
      if (byName(source) || nameOf.has(source)) continue;
      const path = pointer('/connections', source);
      const meant = meantBy(source);
      const name = meant.certain ?? (meant.near.length === 1 ? meant.near[0] : undefined);
      const isFree = name !== undefined && !Object.hasOwn(own(workflow, 'connections') as object, name);
      const fix: Fix | undefined = isFree
        ? {
            description: `Connect from "${name}".`,
            safe: false,
            changes: `n8n does not save the workflow now; then what "${name}" gives goes along these connections.`,
            patch: [
              { op: 'add', path: pointer('/connections', name), value: below },
              { op: 'remove', path },
            ],
          }
        : {
            description: 'Remove the connections of the node that is not there.',
            // Nothing ever comes out of it; only a slip is worth keeping until somebody has looked.
            ...(meant.near.length === 0
              ? { safe: true }
              : { safe: false, changes: 'Connections that were perhaps meant to begin at another node are gone.' }),
            patch: [{ op: 'remove', path }],
          };
      report({
        path,
        message: `There is no node "${shown(source)}", so nothing can begin there, and n8n does not save it. ${adviceOn(meant, 'Remove these connections, or give the name of a node.')}`,
        fix,
      });
    }
  },
};
