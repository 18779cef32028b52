import { z } from 'zod';
import { health } from '../../kernel/health.ts';

/** The connected n8n instances. */
export const instancesShape = z.object({
  instances: z.array(
    health.omit({ name: true, kind: true }).extend({
      name: z.string().describe('Its name in the configuration'),
      url: z.string(),
      version: z.string().optional().describe('The n8n version'),
    }),
  ),
  local: health.optional().describe('An n8n that this gateway starts and that is not an instance yet'),
});

const nodeShape = z.object({
  name: z.string(),
  type: z.string(),
  title: z.string().optional().describe('Name of the type, as n8n shows it'),
  version: z.number().optional(),
  at: z.object({ x: z.number(), y: z.number() }).optional().describe('Where it stands in the editor'),
  size: z.object({ wide: z.number(), tall: z.number() }).optional().describe('Of a sticky note'),
  trigger: z.literal(true).optional(),
  disabled: z.literal(true).optional(),
  pinned: z.literal(true).optional().describe('Has pinned data'),
  outputs: z.array(z.string()).optional().describe('Names of its outputs, if it has several; may be empty'),
  notes: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
  credentials: z.array(z.object({ type: z.string(), name: z.string() })).optional(),
});

/** A workflow as it is drawn. */
export const drawingShape = z.object({
  url: z.string().describe('The workflow in the editor of n8n'),
  workflow: z.object({
    id: z.string(),
    name: z.string(),
    active: z.boolean().describe('Published: its triggers are live'),
    archived: z.boolean().optional(),
    draft: z.boolean().optional().describe('The draft differs from the published version'),
    version: z.string().optional().describe('Version of the draft'),
    tags: z.array(z.string()).optional(),
    updated: z.string().optional(),
  }),
  nodes: z.array(nodeShape),
  links: z.array(
    z.object({
      from: z.string().describe('Name of a node, which may not exist'),
      to: z.string(),
      kind: z.string().describe('main, or what a sub-node provides: ai_tool, ai_languageModel, …'),
      output: z.number(),
      input: z.number(),
    }),
  ),
});

const ranNodeShape = z.object({
  node: z.string(),
  items: z.number().describe('Output of all its runs, without discarded items and those of its error output'),
  outputs: z.array(
    z.object({
      index: z.number(),
      name: z.string().optional(),
      kind: z.enum(['regular', 'error', 'discarded']),
      items: z.number(),
    }),
  ),
  inputs: z.array(z.object({ input: z.number(), from: z.string(), output: z.number(), items: z.number() })),
  ms: z.number(),
  started: z.string().optional().describe('When it first ran'),
  runs: z.number(),
  pinned: z.literal(true).optional().describe('Did not run: its pinned data were used'),
  failed: z.literal(true).optional(),
  error: z.string().optional(),
});

/** What ran in an execution, to be drawn on its workflow. */
export const runShape = z.object({
  url: z.string().describe('The execution in the editor of n8n'),
  workflow: z.string().describe('Id of the workflow'),
  status: z.string(),
  started: z.string().optional(),
  stopped: z.string().optional(),
  nodes: z.array(ranNodeShape).describe('In the order they first ran'),
  note: z.string().optional().describe('Why nothing is known'),
});

export type Instances = z.output<typeof instancesShape>;
export type Drawing = z.output<typeof drawingShape>;
export type Run = z.output<typeof runShape>;
