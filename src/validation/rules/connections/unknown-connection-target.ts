import { shown } from '../../../kernel/nearest-names.ts';
import type { LikelyFix } from '../../finding.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { namesById } from '../../connections/names-by-id.ts';
import { adviceOn, nodesMeant } from '../../connections/node-meant.ts';
import { rawEntries } from '../../connections/raw-connections.ts';

export const unknownConnectionTarget: Rule = {
  id: 'unknown-connection-target',
  group: 'connections',
  title: 'Every connection leads to a node of the workflow.',
  severity: 'error',
  check(subject, report) {
    const { byName } = subject;
    const meantBy = nodesMeant(subject);
    const nameOf = namesById(subject);
    for (const { source, value, pointer } of rawEntries(subject)) {
      const target = isRecord(value) ? own(value, 'node') : undefined;
      if (typeof target !== 'string' || target === '' || byName(target) || nameOf.has(target)) continue;
      const path = `${pointer}/node`;
      const meant = meantBy(target);
      const name = meant.certain ?? (meant.near.length === 1 ? meant.near[0] : undefined);
      const fix: LikelyFix =
        name === undefined
          ? {
              description: 'Remove the connection.',
              safe: false,
              changes: 'Items at this output go nowhere. Now n8n does not save the workflow.',
              patch: [{ op: 'remove', path: pointer }],
            }
          : {
              description: `Connect to "${name}".`,
              safe: false,
              changes: `Items reach "${name}". Now n8n does not save the workflow.`,
              patch: [{ op: 'replace', path, value: name }],
            };
      report({
        path,
        node: source,
        message: `"${shown(source)}" is connected to "${shown(target)}", which does not exist, so n8n does not save the workflow. ${adviceOn(meant, 'Remove the connection, or add the node.')}`,
        fix,
      });
    }
  },
};
