/** The settings of a node besides name, type, position, parameters and credentials, with their types. */
export const nodeSettings = {
  id: 'string',
  typeVersion: 'number',
  webhookId: 'string',
  disabled: 'boolean',
  notes: 'string',
  notesInFlow: 'boolean',
  executeOnce: 'boolean',
  alwaysOutputData: 'boolean',
  retryOnFail: 'boolean',
  maxTries: 'number',
  waitBetweenTries: 'number',
  continueOnFail: 'boolean',
  onError: 'string',
} as const;

export const onErrorValues = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

export const nodeKeys: ReadonlySet<string> = new Set([
  'name',
  'type',
  'position',
  'parameters',
  'credentials',
  'customTelemetryTags',
  ...Object.keys(nodeSettings),
]);

/** Settings that people put inside "parameters" although they belong next to it. */
export const misplacedSettings: ReadonlySet<string> = new Set([
  'onError',
  'continueOnFail',
  'retryOnFail',
  'maxTries',
  'waitBetweenTries',
  'executeOnce',
  'alwaysOutputData',
  'disabled',
  'notes',
  'notesInFlow',
  'credentials',
  'typeVersion',
  'webhookId',
  'position',
]);
