import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { Fix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { workflowSettings } from '../../structure/workflow-settings.ts';

export const unknownWorkflowSetting: Rule = {
  id: 'unknown-workflow-setting',
  group: 'structure',
  title: 'n8n knows every setting of the workflow.',
  severity: { save: 'error', run: 'warning', publish: 'warning' },
  fixesSafely: true,
  check({ workflow, purpose }, report) {
    const settings = own(workflow, 'settings');
    if (!isRecord(settings)) return;
    for (const key of Object.keys(settings)) {
      if (workflowSettings.has(key)) continue;
      const free = [...workflowSettings.keys()].filter((name) => !Object.hasOwn(settings, name));
      const [near] = nearestNames(key, free, 1);
      // Another version of n8n may have written it; it does no harm.
      if (near === undefined && purpose !== 'save') continue;
      const path = pointer('/settings', key);
      const fix: Fix =
        near === undefined
          ? { description: `Remove "${shown(key)}".`, safe: true, patch: [{ op: 'remove', path }] }
          : {
              description: `Rename "${shown(key)}" to "${near}".`,
              safe: false,
              changes: `"${near}" takes effect.`,
              patch: [
                { op: 'remove', path },
                { op: 'add', path: pointer('/settings', near), value: settings[key] },
              ],
            };
      report({
        path,
        message: `n8n has no workflow setting "${shown(key)}". ${didYouMean(inQuotes([near]), `It has: ${[...workflowSettings.keys()].join(', ')}.`)}`,
        fix,
      });
    }
  },
};
