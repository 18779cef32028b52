import { z } from 'zod';
import { runHeadView, runView, stepStates } from './run-view.ts';
import { findingView } from '../tool.ts';

const outline = z.object({
  step: z.string(),
  kind: z.string(),
  does: z.string().describe('The tool, the workflow, the question …'),
  when: z.string().optional(),
  for_each: z.string().optional(),
  undo: z.string().optional().describe('What undoes it'),
  confirm: z.literal('person').optional().describe('A person decides about it during the run'),
});

const service = z.object({ source: z.string(), there: z.boolean().describe('Whether it has tools now') });

/** All definitions at a glance. */
export const definitionOverview = z.object({
  definitions: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['blueprint', 'recipe']),
      origin: z.string().describe('Where it comes from'),
      file: z.string().optional(),
      saved_by: z.string().optional(),
      description: z.string().optional(),
      steps: z.number().optional(),
      schedule: z.string().optional().describe('What the definition suggests'),
      schedules: z.number().optional().describe('How many schedules deploy it'),
      errors: z.number(),
      warnings: z.number(),
      problem: z.string().optional().describe('The first of the errors'),
      last: runHeadView.pick({ run: true, state: true, created_at: true, ended_at: true }).optional(),
    }),
  ),
  more: z.number().optional(),
  problems: z.array(z.string()).optional().describe('Files and places that cannot be read'),
});

/** A definition whole, as a page shows it. */
export const definitionDetail = z.object({
  name: z.string(),
  kind: z.enum(['blueprint', 'recipe']),
  origin: z.string().describe('Where it comes from'),
  file: z.string().optional(),
  saved_by: z.string().optional(),
  saved_at: z.string().optional(),
  hides: z.string().optional().describe('A definition of the same name from there is not used'),
  description: z.string().optional(),
  text: z.string().describe('The definition as it is written'),
  findings: z.array(findingView),
  more_findings: z.number().optional(),
  steps: z.array(outline).optional(),
  inputs: z
    .array(
      z.object({
        name: z.string(),
        schema: z.record(z.string(), z.unknown()),
        required: z.boolean(),
        secret: z.boolean(),
      }),
    )
    .optional(),
  needs: z.array(service).optional().describe('Services it cannot do without'),
  wants: z.array(service).optional().describe('Services it uses if they are there'),
  calls: z.array(z.string()).optional().describe('Blueprints that it calls'),
  schedule: z.string().optional(),
  on_failure: z.enum(['undo', 'keep']).optional(),
});

const bar = z.object({
  item: z.int().optional().describe('Which item of for_each'),
  phase: z.enum(['do', 'undo']),
  state: z.enum(stepStates),
  started_at: z.string(),
  ended_at: z.string().optional(),
  attempts: z.number(),
  error: z.string().optional(),
  note: z.string().optional(),
});

const can = z.object({ allowed: z.boolean(), why: z.string().optional().describe('Why this caller may not') });

/** A run whole: every step with everything that was done for it, and what this caller may do about it. */
export const runTimeline = runHeadView.extend({
  now: z.string().describe('The time of the gateway'),
  kind: z.enum(['blueprint', 'recipe']),
  origin: z.string(),
  trace: z.string().describe('The trace that its calls belong to'),
  progress: runView.shape.progress,
  waits: runView.shape.waits,
  acts_as: runView.shape.acts_as,
  acts_as_name: z.string().optional().describe('The name of whose rights count'),
  inputs: runView.shape.inputs,
  outputs: runView.shape.outputs,
  on_failure: z.enum(['undo', 'keep']),
  steps: z.array(
    outline.extend({
      bars: z.array(bar),
      more_bars: z.number().optional(),
      items: z.record(z.string(), z.number()).optional().describe('How many items are in which state'),
      runs: z
        .array(z.object({ run: z.string(), state: z.string(), item: z.int().optional() }))
        .optional()
        .describe('Runs of the blueprint that it calls'),
    }),
  ),
  can: z.object({
    approve: can.optional(),
    resume: can.extend({ unknown: z.array(z.string()).describe('Steps nobody knows the end of') }).optional(),
    cancel: can.extend({ undo: z.boolean().describe('Whether this caller may also undo it') }).optional(),
    undo: can
      .extend({
        steps: z.array(z.string()).describe('What would be undone, in this order'),
        unsure: z.array(z.string()).describe('Steps that only an undo with include_unsure undoes'),
      })
      .optional(),
  }),
});

/** What a step was given and what came of it. */
export const stepDetail = z.object({
  step: z.string(),
  item: z.int().optional(),
  phase: z.enum(['do', 'undo']),
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  cut: z
    .array(z.enum(['arguments', 'result']))
    .optional()
    .describe('Too large: the beginning of the JSON text'),
});

export type DefinitionOverview = z.output<typeof definitionOverview>;
export type DefinitionDetail = z.output<typeof definitionDetail>;
export type RunTimeline = z.output<typeof runTimeline>;
export type StepDetail = z.output<typeof stepDetail>;
