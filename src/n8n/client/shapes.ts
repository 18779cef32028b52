import { z } from 'zod';

// The parts of n8n's answers that Sluice relies on. Unknown keys stay, so that nothing is lost when it writes back.

/** n8n keeps old forms as they were saved, such as a bare name or null. One of them must not make a whole list fail. */
const credentialRefShape = z.preprocess(
  (given) => {
    if (typeof given !== 'object' || given === null) return { id: null, name: typeof given === 'string' ? given : '' };
    const { id, name } = given as { id?: unknown; name?: unknown };
    const isWhole = typeof name === 'string' && (typeof id === 'string' || id === null || id === undefined);
    return isWhole
      ? given
      : { ...given, id: typeof id === 'string' ? id : null, name: typeof name === 'string' ? name : '' };
  },
  z.looseObject({ id: z.string().nullish(), name: z.string() }),
);

export const nodeShape = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  type: z.string(),
  typeVersion: z.number().optional(),
  position: z.tuple([z.number(), z.number()]).optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  credentials: z.record(z.string(), credentialRefShape).optional(),
  disabled: z.boolean().optional(),
  webhookId: z.string().optional(),
});

const targetShape = z.looseObject({ node: z.string(), type: z.string(), index: z.number() });

/** By name of the source node, kind of connection and output: the inputs that it leads to. */
export const connectionsShape = z.record(z.string(), z.record(z.string(), z.array(z.array(targetShape).nullable())));

export const tagShape = z.looseObject({ id: z.string(), name: z.string() });

export const workflowShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  active: z.boolean().default(false),
  isArchived: z.boolean().default(false),
  nodes: z.array(nodeShape),
  connections: connectionsShape,
  settings: z.record(z.string(), z.unknown()).nullish(),
  staticData: z.unknown().optional(),
  pinData: z.record(z.string(), z.unknown()).nullish(),
  versionId: z.string().nullish(),
  activeVersionId: z.string().nullish(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  tags: z.array(tagShape).nullish(),
});

export const executionShape = z.looseObject({
  id: z.coerce.string(),
  workflowId: z.coerce.string(),
  status: z.string(),
  mode: z.string().optional(),
  startedAt: z.string().nullish(),
  stoppedAt: z.string().nullish(),
  waitTill: z.string().nullish(),
  retryOf: z.coerce.string().nullish(),
  retrySuccessId: z.coerce.string().nullish(),
  data: z.unknown().optional(),
  workflowData: z.unknown().optional(),
});

export const credentialShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

export const versionShape = z.looseObject({
  versionId: z.string(),
  authors: z.string().nullish(),
  createdAt: z.string().optional(),
});

export type Node = z.output<typeof nodeShape>;
export type Connections = z.output<typeof connectionsShape>;
export type Workflow = z.output<typeof workflowShape>;
export type Tag = z.output<typeof tagShape>;
export type Execution = z.output<typeof executionShape>;
export type Credential = z.output<typeof credentialShape>;
export type WorkflowVersion = z.output<typeof versionShape>;
