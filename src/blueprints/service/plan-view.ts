import { z } from 'zod';

const plannedStep = z.object({
  step: z.string(),
  kind: z.string(),
  does: z.unknown().describe('With the inputs filled in; ${…} where a step before decides'),
  when: z.string().optional(),
  skipped: z.literal(true).optional().describe('"when" is not true for these inputs'),
  for_each: z.unknown().optional(),
  items: z.int().optional().describe('How many times, if that is known'),
  effect: z.string().optional(),
  confirm: z
    .enum(['deploy', 'person'])
    .optional()
    .describe('deploy: confirmed when deployed. person: somebody approves it during the run'),
  undo: z.unknown().optional(),
});

export const planView = z.object({
  name: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  steps: z.array(plannedStep),
  more_steps: z.number().optional(),
  on_failure: z.enum(['undo', 'keep']),
  schedule: z.string().optional(),
  confirmations: z.array(z.string()).describe('Steps that deploying confirms'),
  approvals: z.array(z.string()).describe('Steps at which a person decides'),
});

export type PlanView = z.output<typeof planView>;
export type PlannedStepView = z.output<typeof plannedStep>;
