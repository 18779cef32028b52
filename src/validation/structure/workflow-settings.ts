/** What n8n keeps for a workflow as a whole, and which values each takes. */
export type SettingKind =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'timezone' }
  | { readonly kind: 'choice'; readonly of: readonly string[] };

const onOff: SettingKind = { kind: 'choice', of: ['all', 'none'] };

export const workflowSettings: ReadonlyMap<string, SettingKind> = new Map<string, SettingKind>([
  ['saveExecutionProgress', { kind: 'boolean' }],
  ['saveManualExecutions', { kind: 'boolean' }],
  ['saveDataErrorExecution', onOff],
  ['saveDataSuccessExecution', onOff],
  ['executionTimeout', { kind: 'number' }],
  ['errorWorkflow', { kind: 'text' }],
  ['timezone', { kind: 'timezone' }],
  ['executionOrder', { kind: 'choice', of: ['v0', 'v1'] }],
  ['binaryMode', { kind: 'choice', of: ['separate', 'combined'] }],
  ['callerPolicy', { kind: 'choice', of: ['any', 'none', 'workflowsFromAList', 'workflowsFromSameOwner'] }],
  ['callerIds', { kind: 'text' }],
  ['timeSavedMode', { kind: 'choice', of: ['fixed', 'dynamic'] }],
  ['timeSavedPerExecution', { kind: 'number' }],
  ['redactionPolicy', { kind: 'choice', of: ['none', 'non-manual', 'manual-only', 'all'] }],
  ['availableInMCP', { kind: 'boolean' }],
  ['credentialResolverId', { kind: 'text' }],
  ['customTelemetryTags', { kind: 'list' }],
]);
