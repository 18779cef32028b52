import { z } from 'zod';

const wheres = z.array(z.enum(['disk', 's3']));
const instance = z.string().max(200).optional();
const whichInstance = instance.describe('Which n8n. Default: the one called default, or the only one');

export const takeBody = z.strictObject({
  instance: whichInstance,
  confirm: z.string().max(200).optional().describe('Token of a failure that asks for confirmation'),
});

export const keptQuery = z.strictObject({ instance: whichInstance });

const limits = { keep: z.number().describe('Automatic backups of each workflow'), days: z.number().optional() };

export const keptShape = z.object({
  instance: z.string(),
  disk: z
    .object({ directory: z.string(), git: z.string().optional().describe('One file for each workflow'), ...limits })
    .optional()
    .describe('Absent with backups.s3.mode only'),
  s3: z
    .object({
      mode: z.enum(['copy', 'required', 'only']),
      endpoint: z.string().optional(),
      bucket: z.string(),
      prefix: z.string(),
      ...limits,
    })
    .optional(),
  whole: z.array(z.object({ id: z.string(), taken: z.string(), bytes: z.number(), where: wheres })),
  workflows: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.enum(['present', 'archived', 'deleted', 'unknown']).describe('unknown: n8n could not be asked'),
      backups: z.number(),
      newest: z.object({ id: z.string(), taken: z.string() }),
    }),
  ),
  notes: z.array(z.string()).describe('What could not be read, and why'),
});

export type Kept = z.output<typeof keptShape>;

const side = z
  .string()
  .min(1)
  .max(500)
  .describe('draft, published, a version of n8n_list_versions, the id of a backup, or "backup" for the newest one');

export const diffQuery = z.strictObject({
  instance: whichInstance,
  workflow: z.string().min(1).max(200).optional().describe('Id of the workflow; not needed with the id of a backup'),
  before: side,
  after: side,
});

const shownSide = z.object({
  version: z.string(),
  content: z
    .record(z.string(), z.unknown())
    .describe('What both sides have, without pinned and static data, and with stand-ins for secrets'),
});

export const diffShape = z.object({
  workflow: z.object({ id: z.string(), name: z.string() }),
  changes: z.array(z.string()).describe('From before to after: + added, - removed, ~ changed'),
  before: shownSide,
  after: shownSide,
  hidesSecrets: z.boolean().describe('Something that looks like a secret is not shown'),
});

export type ShownVersions = z.output<typeof diffShape>;

export const wholeQuery = z.strictObject({
  backup: z.string().min(1).max(500).describe('Id of a backup of a whole n8n'),
});

export const wholeShape = z.object({
  id: z.string(),
  instance: z.string(),
  taken: z.string(),
  workflows: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      active: z.boolean().describe('Was live'),
      archived: z.boolean(),
      nodes: z.number(),
      state: z.enum(['present', 'deleted', 'unknown']).describe('In n8n now. unknown: n8n could not be asked'),
    }),
  ),
  tags: z.array(z.string()),
  credentials: z.array(z.object({ name: z.string(), type: z.string() })).describe('Never their values'),
  dataTables: z.array(z.object({ id: z.string(), name: z.string(), rows: z.number() })),
});

export type Whole = z.output<typeof wholeShape>;
