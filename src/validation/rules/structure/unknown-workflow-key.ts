import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { exportedKeys } from '../../structure/exported-keys.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';

/** The keys that n8n's API accepts when a workflow is created or updated. */
const taken: ReadonlySet<string> = new Set([
  'name',
  'description',
  'nodes',
  'connections',
  'settings',
  'nodeGroups',
  'staticData',
  'pinData',
  'projectId',
  'parentFolderId',
  'shared',
]);

export const unknownWorkflowKey: Rule = {
  id: 'unknown-workflow-key',
  group: 'structure',
  title: "A workflow saved through n8n's API has no keys that the API refuses.",
  severity: { save: 'error' },
  fixesSafely: true,
  check({ workflow }, report) {
    for (const key of Object.keys(workflow)) {
      if (taken.has(key)) continue;
      const path = pointer('', key);
      const [near] = exportedKeys.has(key)
        ? []
        : nearestNames(key, taken, 1).filter((name) => !Object.hasOwn(workflow, name));
      report({
        path,
        message: exportedKeys.has(key)
          ? `n8n sets "${key}" itself, and its API refuses a workflow that contains it. Remove it.`
          : `n8n does not know "${shown(key)}" in a workflow, and its API refuses it. ${near === undefined ? 'Remove it.' : didYouMean(inQuotes([near]))}`,
        // Do not throw away the value of a misspelt key.
        ...(near === undefined && {
          fix: { description: `Remove "${shown(key)}".`, safe: true, patch: [{ op: 'remove' as const, path }] },
        }),
      });
    }
  },
};
