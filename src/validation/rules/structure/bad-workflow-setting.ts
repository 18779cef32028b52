import { pointer } from '../../json/json-pointer.ts';
import { kindOf, shownValue } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { type SettingKind, workflowSettings } from '../../structure/workflow-settings.ts';

/** n8n's editor writes it for "as the instance has it", and its API refuses it in all that it holds against a list. */
const AS_INSTANCE = 'DEFAULT';

/** n8n's API takes any text for these. */
const anyTextIsTaken: ReadonlySet<string> = new Set(['timezone', 'executionOrder']);

export const badWorkflowSetting: Rule = {
  id: 'bad-workflow-setting',
  group: 'structure',
  title: 'Each setting of a workflow has a value that n8n understands.',
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
        message: `"${key}" ${fault}${removable ? ' Leave it out: then the instance decides.' : ''}`,
        ...(typeof value === 'string' && anyTextIsTaken.has(key) && { severity: 'warning' as const }),
        ...(removable && {
          fix: {
            description: `Leave "${key}" out.`,
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
        message: 'Only workflows from a list may call this one, and there is no list: give their ids in "callerIds".',
      });
    }
  },
};

/** Where n8n makes of the word, or of null, what it makes of a setting that is not there. */
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
        changes: `n8n goes by the instance's own "${key}"; what it makes of ${String(value)} may differ.`,
      };
}

function faultOf(value: unknown, expected: SettingKind): string | undefined {
  switch (expected.kind) {
    case 'choice':
      return typeof value === 'string' && expected.of.includes(value)
        ? undefined
        : `has to be ${expected.of.join(' or ')}, not ${typeof value === 'string' ? shownValue(value) : kindOf(value)}.`;
    case 'timezone':
      return typeof value === 'string' && (value === '' || isTimezone(value))
        ? undefined
        : `has to be a time zone such as Europe/Berlin, not ${typeof value === 'string' ? shownValue(value) : kindOf(value)}.`;
    case 'list':
      return Array.isArray(value) ? undefined : `has to be a list, not ${kindOf(value)}.`;
    case 'text':
      return typeof value === 'string' ? undefined : `has to be a text, not ${kindOf(value)}.`;
    default:
      return typeof value === expected.kind ? undefined : `has to be a ${expected.kind}, not ${kindOf(value)}.`;
  }
}

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
