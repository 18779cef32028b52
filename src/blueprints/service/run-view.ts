import { z } from 'zod';
import { runStates } from '../runs/run.ts';

export const stepStates = [
  'pending',
  'running',
  'retrying',
  'waiting',
  'done',
  'skipped',
  'failed',
  'unknown',
  'cancelled',
] as const;

const stepView = z.object({
  step: z.string(),
  state: z.enum(stepStates),
  started_at: z.string().optional(),
  ms: z.number().optional(),
  attempts: z.number().optional().describe('If more than one'),
  items: z.record(z.string(), z.number()).optional().describe('How many items of for_each are in which state'),
  error: z.string().optional(),
  note: z.string().optional(),
  undo: z.enum(stepStates).optional().describe('How undoing it went'),
});

export const runHeadView = z.object({
  run: z.string(),
  name: z.string(),
  state: z.enum(runStates),
  deployed_by: z.string(),
  created_at: z.string(),
  ended_at: z.string().optional(),
  error: z.string().optional(),
  waits_for: z.string().optional(),
  parent: z.string().optional(),
  schedule: z.string().optional(),
});

export const runView = runHeadView.extend({
  progress: z.object({ done: z.number(), total: z.number() }),
  waits: z
    .object({
      for: z.enum(['approval', 'time', 'event', 'retry', 'blueprint', 'rights']),
      step: z.string(),
      question: z.string().optional(),
      ask: z.string().optional().describe('Which call it is about, for blueprint_approve'),
      arguments: z.unknown().optional().describe('Of that call, without secrets, shortened'),
      reason: z.string().optional(),
      until: z.string().optional(),
      runs: z.array(z.string()).optional(),
    })
    .optional(),
  acts_as: z.string().optional().describe('Whose rights count, if somebody else resumed it'),
  inputs: z.record(z.string(), z.unknown()).describe('Secrets are masked'),
  outputs: z.record(z.string(), z.unknown()).optional(),
  steps: z.array(stepView),
  more_steps: z.number().optional(),
  next: z.string().optional().describe('What can be done now'),
});

export type RunView = z.output<typeof runView>;
export type RunHeadView = z.output<typeof runHeadView>;
export type StepView = z.output<typeof stepView>;
