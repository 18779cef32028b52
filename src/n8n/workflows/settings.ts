import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';

/** The workflow settings that n8n takes. */
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
  .describe(
    'Such as timezone, errorWorkflow, executionTimeout, saveDataSuccessExecution, callerPolicy; n8n merges them',
  );

/** Whether n8n takes this setting; or, `nearly`, whether it is one that was misspelt. */
export function isSetting(key: string, how: 'exactly' | 'nearly' = 'exactly'): boolean {
  return how === 'exactly' ? settingKeys.has(key) : nearestNames(key, settingKeys, 1).length > 0;
}

/** Settings as a caller wrote them; what n8n would refuse is refused here, with what was probably meant. */
export function checkedSettings(settings: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(settings).find((key) => !settingKeys.has(key));
  if (unknown === undefined) return settings;
  const near = nearestNames(unknown, settingKeys, 1);
  const advice = didYouMean(near, `There are: ${[...settingKeys].join(', ')}.`);
  throw new AppError('invalid_input', `n8n has no workflow setting ${shown(unknown)}. ${advice}`);
}

/** Of settings that n8n itself sent, those it takes back. */
export function writableSettings(settings: Record<string, unknown> | null | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([key]) => settingKeys.has(key)));
}
