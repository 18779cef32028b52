/** The values that a workflow setting accepts. */
export type SettingKind =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'list' | 'timezone' }
  | { readonly kind: 'choice'; readonly of: readonly string[] };

const onOff: SettingKind = { kind: 'choice', of: ['all', 'none'] };

export const workflowSettings: ReadonlyMap<string, SettingKind> = new Map<string, SettingKind>([
  ['saveExecutionProgress', { kind: 'boolean' }],
  ['saveManualExecutions', { kind: 'boolean' }],
  ['saveDataErrorExecution', onOff],
  ['saveDataSuccessExecution', onOff],
  ['executionTimeout', { kind: 'number' }],
  ['errorWorkflow', { kind: 'string' }],
  ['timezone', { kind: 'timezone' }],
  ['executionOrder', { kind: 'choice', of: ['v0', 'v1'] }],
  ['binaryMode', { kind: 'choice', of: ['separate', 'combined'] }],
  ['callerPolicy', { kind: 'choice', of: ['any', 'none', 'workflowsFromAList', 'workflowsFromSameOwner'] }],
  ['callerIds', { kind: 'string' }],
  ['timeSavedMode', { kind: 'choice', of: ['fixed', 'dynamic'] }],
  ['timeSavedPerExecution', { kind: 'number' }],
  ['redactionPolicy', { kind: 'choice', of: ['none', 'non-manual', 'manual-only', 'all'] }],
  ['availableInMCP', { kind: 'boolean' }],
  ['credentialResolverId', { kind: 'string' }],
  ['customTelemetryTags', { kind: 'list' }],
]);
