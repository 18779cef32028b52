import { z } from 'zod';

const credentialRef = z.looseObject({ id: z.string().nullish(), name: z.string() });

/** The keys that n8n accepts in a node. It refuses all others. */
export const nodeKeys = [
  'id',
  'name',
  'type',
  'typeVersion',
  'position',
  'parameters',
  'credentials',
  'webhookId',
  'disabled',
  'notes',
  'notesInFlow',
  'executeOnce',
  'alwaysOutputData',
  'retryOnFail',
  'maxTries',
  'waitBetweenTries',
  'continueOnFail',
  'onError',
  'customTelemetryTags',
] as const;

/** Options of a node besides its name, type and parameters. */
export const nodeOptions = {
  notes: z.string().describe('A note on the node').optional(),
  notesInFlow: z.boolean().describe('Show the note on the canvas').optional(),
  disabled: z.boolean().describe('Skip the node').optional(),
  executeOnce: z.boolean().describe('Run for the first item only').optional(),
  alwaysOutputData: z.boolean().describe('Return an empty item instead of none').optional(),
  retryOnFail: z.boolean().describe('Retry when it fails').optional(),
  maxTries: z.int().min(1).max(100).describe('Maximum tries, with retryOnFail').optional(),
  waitBetweenTries: z.int().min(0).max(600_000).describe('Milliseconds between tries').optional(),
  continueOnFail: z.boolean().describe('Old form of onError').optional(),
  onError: z
    .enum(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'])
    .describe('What to do if the node fails')
    .optional(),
};

export const positionInput = z.tuple([z.number(), z.number()]);

/** Node names are keys of n8n's connections and pinned data, and those objects cannot have the key `__proto__`. */
export const nodeName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => name !== '__proto__', 'a node cannot be called __proto__');

/** A node as a caller writes it. */
export const nodeInput = z.strictObject({
  id: z.string().min(1).optional().describe('Default: the id of the node of this name, or a new one'),
  name: nodeName.describe('Unique within the workflow'),
  type: z.string().min(1).describe('Like n8n-nodes-base.httpRequest'),
  typeVersion: z
    .number()
    .optional()
    .describe('Version of the node type that the parameters are for. Default: the newest'),
  position: positionInput.optional().describe('[x, y]. Default: placed automatically'),
  parameters: z.record(z.string(), z.unknown()).optional().describe('The node settings; expressions begin with ='),
  credentials: z
    .record(z.string(), credentialRef)
    .optional()
    .describe('By credential type: { id, name }. If absent, an existing node keeps its own; {} removes them'),
  webhookId: z.string().optional().describe('For webhook, form and chat triggers. Default: kept, or a new one'),
  customTelemetryTags: z.unknown().optional().describe('As in n8n'),
  ...nodeOptions,
});

export type NodeInput = z.output<typeof nodeInput>;

const target = z.strictObject({
  node: z.string().describe('Name of the target node'),
  type: z.string().describe('Kind of the input: main, ai_tool, …'),
  index: z.int().min(0).describe('Which input'),
});

export const connectionsInput = z
  .record(z.string(), z.record(z.string(), z.array(z.array(target).nullable())))
  .describe(
    'By name of the source node, by kind, by output: { "A": { "main": [[{ "node": "B", "type": "main", "index": 0 }]] } }',
  );
