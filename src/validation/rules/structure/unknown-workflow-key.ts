import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { exportedKeys } from '../../structure/exported-keys.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';

/** What n8n's API takes when a workflow is created or changed. */
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
  title: "A workflow that is saved through n8n's API has no keys that the API refuses.",
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
          ? `"${key}" is n8n's own to set: its API refuses a workflow that brings it. Take it out.`
          : `n8n knows no "${shown(key)}" in a workflow, and its API refuses it. ${near === undefined ? 'Take it out.' : didYouMean(inQuotes([near]))}`,
        // What is misspelt is not to be thrown away.
        ...(near === undefined && {
          fix: { description: `Take "${shown(key)}" out.`, safe: true, patch: [{ op: 'remove' as const, path }] },
        }),
      });
    }
  },
};
