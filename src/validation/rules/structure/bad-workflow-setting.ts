import { pointer } from '../../json/json-pointer.ts';
import { kindOf, shownValue } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { type SettingKind, workflowSettings } from '../../structure/workflow-settings.ts';

/** n8n's editor writes this for "use the default of the instance". Its API refuses it for settings with fixed choices. */
const AS_INSTANCE = 'DEFAULT';

/** n8n's API accepts any string for these. */
const anyTextIsTaken: ReadonlySet<string> = new Set(['timezone', 'executionOrder']);

export const badWorkflowSetting: Rule = {
  id: 'bad-workflow-setting',
  group: 'structure',
  title: 'Each workflow setting has a value that n8n understands.',
  severity: { save: 'error', run: 'warning', publish: 'warning' },
  fixesSafely: true,
  check({ workflow, purpose }, report) {
    const settings = own(workflow, 'settings');
    if (!isRecord(settings)) return;
    for (const [key, expected] of workflowSettings) {
      const value = own(settings, key);
      if (value === undefined) continue;
      if (value === AS_INSTANCE && (purpose !== 'save' || key === 'timezone')) continue;
      if (value === null && purpose !== 'save') continue;
      const fault = faultOf(value, expected);
      if (fault === undefined) continue;
      const path = pointer('/settings', key);
      const removable = value === AS_INSTANCE || value === null;
      report({
        path,
        message: `"${key}" ${fault}${removable ? ' Leave it out to use the default of the instance.' : ''}`,
        ...(typeof value === 'string' && anyTextIsTaken.has(key) && { severity: 'warning' as const }),
        ...(removable && {
          fix: {
            description: `Remove "${key}".`,
            ...effectOf(key, value),
            patch: [{ op: 'remove' as const, path }],
          },
        }),
      });
    }
    const policy = own(settings, 'callerPolicy');
    if (policy === 'workflowsFromAList' && !own(settings, 'callerIds')) {
      report({
        path: '/settings/callerPolicy',
        severity: 'warning',
        message: 'Only listed workflows may call this one, but "callerIds" lists none. Add their ids there.',
      });
    }
  },
};

/** The settings for which n8n treats the value like a missing one. */
const sameAsAbsent: ReadonlyMap<unknown, ReadonlySet<string>> = new Map<unknown, ReadonlySet<string>>([
  [
    AS_INSTANCE,
    new Set(['executionOrder', 'saveManualExecutions', 'saveDataErrorExecution', 'saveDataSuccessExecution']),
  ],
  [null, new Set(['executionOrder', 'executionTimeout', 'errorWorkflow', 'timezone'])],
]);

function effectOf(key: string, value: unknown): { safe: true } | { safe: false; changes: string } {
  return sameAsAbsent.get(value)?.has(key)
    ? { safe: true }
    : {
        safe: false,
        changes: `n8n uses the instance's own "${key}", which may differ from what it does with ${String(value)}.`,
      };
}

function faultOf(value: unknown, expected: SettingKind): string | undefined {
  switch (expected.kind) {
    case 'choice':
      return typeof value === 'string' && expected.of.includes(value)
        ? undefined
        : `must be ${expected.of.join(' or ')}, not ${typeof value === 'string' ? shownValue(value) : kindOf(value)}.`;
    case 'timezone':
      return typeof value === 'string' && (value === '' || isTimezone(value))
        ? undefined
        : `must be a time zone such as Europe/Berlin, not ${typeof value === 'string' ? shownValue(value) : kindOf(value)}.`;
    case 'list':
      return Array.isArray(value) ? undefined : `must be a list, not ${kindOf(value)}.`;
    default:
      return typeof value === expected.kind ? undefined : `must be a ${expected.kind}, not ${kindOf(value)}.`;
  }
}

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
