import { z } from 'zod';

const credentialRef = z.looseObject({ id: z.string().nullish(), name: z.string() });

/** What n8n takes in a node; anything else it would refuse. */
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

/** What a node may be told besides its name, type and parameters. */
export const nodeOptions = {
  notes: z.string().describe('A note on the node').optional(),
  notesInFlow: z.boolean().describe('Whether the note shows on the canvas').optional(),
  disabled: z.boolean().describe('Whether it is skipped').optional(),
  executeOnce: z.boolean().describe('Run for the first item only').optional(),
  alwaysOutputData: z.boolean().describe('Go on with an empty item where there is none').optional(),
  retryOnFail: z.boolean().describe('Try again when it fails').optional(),
  maxTries: z.int().min(1).max(100).describe('How often, with retryOnFail').optional(),
  waitBetweenTries: z.int().min(0).max(600_000).describe('Milliseconds between tries').optional(),
  continueOnFail: z.boolean().describe('Old form of onError').optional(),
  onError: z
    .enum(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'])
    .describe('What a failure of the node does')
    .optional(),
};

export const positionInput = z.tuple([z.number(), z.number()]);

/** n8n finds connections and pinned data by it, in objects that cannot have this one key. */
export const nodeName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => name !== '__proto__', 'a node cannot be called __proto__');

/** A node as a caller writes it. */
export const nodeInput = z.strictObject({
  id: z.string().min(1).optional().describe('Its id; made up, or that of the node of this name, unless told'),
  name: nodeName.describe('Unique within the workflow'),
  type: z.string().min(1).describe('Such as n8n-nodes-base.httpRequest'),
  typeVersion: z
    .number()
    .optional()
    .describe('The version of the node type that the parameters are written for; the newest unless told'),
  position: positionInput.optional().describe('[x, y]; a fitting place unless told'),
  parameters: z.record(z.string(), z.unknown()).optional().describe('The node settings; expressions begin with ='),
  credentials: z
    .record(z.string(), credentialRef)
    .optional()
    .describe('By credential type: { id, name }. Left out, an existing node keeps its own; {} takes them away'),
  webhookId: z.string().optional().describe('Of webhook, form and chat triggers; kept or made up unless told'),
  customTelemetryTags: z.unknown().optional().describe('As n8n has them'),
  ...nodeOptions,
});

export type NodeInput = z.output<typeof nodeInput>;

const target = z.strictObject({
  node: z.string().describe('Name of the node it leads to'),
  type: z.string().describe('Kind of the input: main, ai_tool, …'),
  index: z.int().min(0).describe('Which input'),
});

export const connectionsInput = z
  .record(z.string(), z.record(z.string(), z.array(z.array(target).nullable())))
  .describe(
    'By name of the source node, by kind, by output: { "A": { "main": [[{ "node": "B", "type": "main", "index": 0 }]] } }',
  );
