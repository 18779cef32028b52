import { z } from 'zod';
import { shortened } from '../shown.ts';
import type { Job, Run } from './api/actions.ts';
import { some } from './api/fields.ts';
import { known } from './lenient.ts';
import { few } from './few.ts';

export const runOutput = z.object({
  id: z.int(),
  workflow: z.string(),
  title: z.string().optional(),
  number: z.int().optional(),
  attempt: z.int().optional().describe('If it was run again'),
  event: z.string(),
  status: z.string().describe('queued, in_progress, waiting; or completed, with a conclusion'),
  conclusion: z.string().optional(),
  branch: z.string().optional(),
  sha: z.string(),
  actor: z.string().optional(),
  created_at: z.string(),
  seconds: z.int().optional().describe('How long it took'),
  url: z.string(),
});

export function shownRun(run: Run): z.input<typeof runOutput> {
  return {
    id: run.id,
    workflow: run.name ?? run.path ?? String(run.workflow_id),
    event: run.event,
    status: run.status ?? 'unknown',
    sha: run.head_sha,
    created_at: run.created_at,
    url: run.html_url,
    ...known({
      title: run.display_title ? shortened(run.display_title, 200) : undefined,
      number: run.run_number,
      attempt: (run.run_attempt ?? 1) > 1 ? run.run_attempt : undefined,
      conclusion: run.conclusion,
      branch: run.head_branch,
      actor: run.actor?.login,
      seconds: run.status === 'completed' ? secondsBetween(run.run_started_at, run.updated_at) : undefined,
    }),
  };
}

export const jobOutput = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().optional(),
  seconds: z.int().optional(),
  steps: z.array(z.string()).optional().describe('Those that did not succeed; with all_steps, all'),
});

/** Bytes for steps: a job may have hundreds. Its log has them all. */
const ROOM = 1500;

export function shownJob(job: Job, allSteps: boolean): z.input<typeof jobOutput> {
  const steps = (job.steps ?? []).filter(
    ({ conclusion, status }) =>
      allSteps || (conclusion !== 'success' && conclusion !== 'skipped' && status !== 'queued'),
  );
  const lines = steps.map(
    ({ number, name, conclusion, status }) => `${number} ${shortened(name, 50)}: ${conclusion ?? status}`,
  );
  return {
    id: job.id,
    name: shortened(job.name, 150),
    status: job.status,
    ...known({
      conclusion: job.conclusion,
      seconds: secondsBetween(job.started_at, job.completed_at),
      steps: some(few(lines, ROOM)),
    }),
  };
}

function secondsBetween(from: string | null | undefined, to: string | null | undefined): number | undefined {
  const seconds = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.round(seconds));
}
