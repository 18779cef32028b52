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

/** Settings read from n8n, without those it refuses to be sent. */
export function writableSettings(settings: Record<string, unknown> | null | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([key]) => settingKeys.has(key)));
}
