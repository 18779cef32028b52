import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

type OfRun = { run: string; blueprint: string };
type OfStep = OfRun & { step: string; item?: number };

/** Events of blueprints. Inputs, arguments and results are in none of them. */
export const blueprintFacts = {
  'blueprint.run_deployed': fact<OfRun & { principal: string; parent?: string; schedule?: string }>({
    audit: true,
    line: ({ run, principal }) => `${principal} deployed ${run}`,
  }),
  'blueprint.run_resumed': fact<OfRun & { principal: string }>({ audit: true }),
  'blueprint.run_waiting': fact<OfStep & { for: string }>({
    status: 'pending',
    line: ({ run, step, for: what }) => `${run} waits for ${what} in the step ${step}`,
  }),
  'blueprint.run_completed': fact<OfRun & { ms: number }>({ line: ({ run }) => `${run} succeeded` }),
  'blueprint.run_failed': fact<OfRun & { state: string; step?: string }>({
    status: 'failure',
    line: ({ run, state, step }) => `${run} ended as ${state}${step === undefined ? '' : ` after the step ${step}`}`,
  }),
  'blueprint.run_undoing': fact<OfRun>({ line: ({ run }) => `${run} undoes its steps` }),
  'blueprint.run_undone': fact<OfRun>({ line: ({ run }) => `${run} is undone` }),
  'blueprint.run_cancelled': fact<OfRun>({ line: ({ run }) => `${run} was cancelled` }),
  'blueprint.cancel_requested': fact<OfRun & { principal: string; undo: boolean }>({ audit: true }),
  'blueprint.undo_requested': fact<OfRun & { principal: string }>({ audit: true }),
  'blueprint.step_started': fact<OfStep & { attempt: number; undo?: true }>({ level: 'debug' }),
  'blueprint.step_completed': fact<OfStep & { ms: number; undo?: true }>({ level: 'debug' }),
  'blueprint.step_failed': fact<OfStep & { state: string; attempt: number; undo?: true }>({
    status: 'failure',
    line: ({ run, step, state }) => `The step ${step} of ${run} ended as ${state}`,
  }),
  'blueprint.decided': fact<OfStep & { principal: string; approved: boolean }>({
    audit: true,
    line: ({ run, step, principal, approved }) => `${principal} ${approved ? 'approved' : 'refused'} ${step} of ${run}`,
  }),
  'blueprint.saved': fact<{ blueprint: string; kind: string; principal: string }>({ audit: true }),
  'blueprint.deleted': fact<{ blueprint: string; principal: string }>({ audit: true }),
  'blueprint.scheduled': fact<{ schedule: string; blueprint: string; cron: string; principal: string }>({
    audit: true,
  }),
  'blueprint.unscheduled': fact<{ schedule: string; blueprint: string; principal: string }>({ audit: true }),
  'blueprint.schedule_failed': fact<{ schedule: string; blueprint: string; reason: string }>({
    status: 'failure',
    line: ({ schedule, reason }) => `The schedule ${schedule} was not carried out: ${reason}`,
  }),
};

export type BlueprintEvents = EventLog<FactOf<typeof blueprintFacts>>;
