import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';

/** The workflow settings that n8n accepts. */
const settingKeys: ReadonlySet<string> = new Set([
  'saveExecutionProgress',
  'saveManualExecutions',
  'saveDataErrorExecution',
  'saveDataSuccessExecution',
  'executionTimeout',
  'errorWorkflow',
  'timezone',
  'executionOrder',
  'binaryMode',
  'callerPolicy',
  'callerIds',
  'timeSavedMode',
  'timeSavedPerExecution',
  'redactionPolicy',
  'availableInMCP',
  'credentialResolverId',
  'customTelemetryTags',
]);

export const settingsInput = z
  .record(z.string(), z.unknown())
  .describe('Like timezone, errorWorkflow, executionTimeout, saveDataSuccessExecution, callerPolicy. Others stay');

/** Whether n8n has this setting; with `nearly`, whether it looks like a misspelt one. */
export function isSetting(key: string, how: 'exactly' | 'nearly' = 'exactly'): boolean {
  return how === 'exactly' ? settingKeys.has(key) : nearestNames(key, settingKeys, 1).length > 0;
}

/** Returns the settings, or throws for a setting that n8n would refuse and suggests a similar one. */
export function checkedSettings(settings: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(settings).find((key) => !settingKeys.has(key));
  if (unknown === undefined) return settings;
  const near = nearestNames(unknown, settingKeys, 1);
  const advice = didYouMean(near, `There are: ${[...settingKeys].join(', ')}.`);
  throw new AppError('invalid_input', `n8n has no workflow setting ${shown(unknown)}. ${advice}`);
}

/** The values for which n8n removes a setting. It keeps a setting that a save leaves out. */
const unset: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['errorWorkflow', 'DEFAULT'],
  ['timezone', 'DEFAULT'],
  ['executionTimeout', -1],
  ['credentialResolverId', ''],
  ['callerIds', ''],
]);
/** n8n sets these by itself. */
const ownSettings: ReadonlySet<string> = new Set(['executionOrder', 'callerPolicy', 'binaryMode', 'availableInMCP']);

/** The settings that make a workflow have only those that are wanted, and the names of those that n8n cannot remove. */
export function onlySettings(
  wanted: Record<string, unknown>,
  now: Record<string, unknown> | null | undefined,
): { settings: Record<string, unknown>; kept: string[] } {
  const others = Object.entries(writableSettings(now)).filter(([key]) => !Object.hasOwn(wanted, key));
  return {
    settings: { ...Object.fromEntries(others.map(([key, value]) => [key, unset.get(key) ?? value])), ...wanted },
    kept: others.map(([key]) => key).filter((key) => !unset.has(key) && !ownSettings.has(key)),
  };
}

/** Settings read from n8n, without those it refuses to be sent. */
export function writableSettings(settings: Record<string, unknown> | null | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([key]) => settingKeys.has(key)));
}

/** n8n merges settings when it saves, so a key cannot be removed. These are the values that n8n treats as "not set". */
export const UNSET: Readonly<Record<string, unknown>> = {
  timezone: 'DEFAULT',
  errorWorkflow: 'DEFAULT',
  executionTimeout: -1,
  callerIds: '',
  availableInMCP: false,
};
