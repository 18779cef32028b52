/** What n8n takes in a node besides its name, type, position, parameters and credentials, and of which kind. */
export const nodeSettings = {
  id: 'text',
  typeVersion: 'number',
  webhookId: 'text',
  disabled: 'boolean',
  notes: 'text',
  notesInFlow: 'boolean',
  executeOnce: 'boolean',
  alwaysOutputData: 'boolean',
  retryOnFail: 'boolean',
  maxTries: 'number',
  waitBetweenTries: 'number',
  continueOnFail: 'boolean',
  onError: 'text',
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

/** What people put among the parameters although it belongs beside them. */
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
