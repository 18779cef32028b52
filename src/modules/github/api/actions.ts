import { z } from 'zod';
import { user } from './fields.ts';
import { maybe } from '../lenient.ts';

export const workflow = z.object({ id: z.int(), name: z.string(), path: z.string(), state: z.string() });

export const run = z.object({
  id: z.int(),
  name: maybe(z.string()),
  display_title: maybe(z.string()),
  run_number: maybe(z.int()),
  run_attempt: maybe(z.int()),
  event: z.string(),
  status: maybe(z.string()),
  conclusion: maybe(z.string()),
  workflow_id: z.int(),
  path: maybe(z.string()),
  head_branch: maybe(z.string()),
  head_sha: z.string(),
  actor: maybe(user),
  created_at: z.string(),
  run_started_at: maybe(z.string()),
  updated_at: maybe(z.string()),
  html_url: z.string(),
});
export type Run = z.output<typeof run>;

const step = z.object({
  name: z.string(),
  number: z.int(),
  status: z.string(),
  conclusion: maybe(z.string()),
  started_at: maybe(z.string()),
  completed_at: maybe(z.string()),
});

export const job = z.object({
  id: z.int(),
  run_id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: maybe(z.string()),
  started_at: maybe(z.string()),
  completed_at: maybe(z.string()),
  html_url: maybe(z.string()),
  steps: maybe(z.array(step)),
});
export type Job = z.output<typeof job>;
