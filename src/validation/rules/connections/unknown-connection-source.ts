import { shown } from '../../../kernel/nearest-names.ts';
import type { Fix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { namesById } from '../../connections/names-by-id.ts';
import { adviceOn, nodesMeant } from '../../connections/node-meant.ts';
import { rawSources } from '../../connections/raw-connections.ts';

/** n8n refuses to create the workflow, even if the entry is empty. */
export const unknownConnectionSource: Rule = {
  id: 'unknown-connection-source',
  group: 'connections',
  title: 'Every connection starts at a node of the workflow.',
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
            changes: `The output of "${name}" flows along these connections. Now n8n does not save the workflow.`,
            patch: [
              { op: 'add', path: pointer('/connections', name), value: below },
              { op: 'remove', path },
            ],
          }
        : {
            description: 'Remove the connections of the missing node.',
            // Nothing ever comes out of a missing node. But keep a possible typo until someone has looked.
            ...(meant.near.length === 0
              ? { safe: true }
              : { safe: false, changes: 'Connections that may have been meant for another node are gone.' }),
            patch: [{ op: 'remove', path }],
          };
      report({
        path,
        message: `There is no node "${shown(source)}", so nothing can start there, and n8n does not save the workflow. ${adviceOn(meant, 'Remove these connections, or use the name of an existing node.')}`,
        fix,
      });
    }
  },
};
