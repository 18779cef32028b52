import { z } from 'zod';
import { user } from './fields.ts';
import { maybe } from '../lenient.ts';

const label = z.union([z.string(), z.object({ name: maybe(z.string()) })]);

export const issue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  state_reason: maybe(z.string()),
  user: maybe(user),
  labels: z.array(label).default([]),
  assignees: maybe(z.array(user)),
  milestone: maybe(z.object({ number: z.int(), title: z.string() })),
  comments: maybe(z.int()),
  locked: maybe(z.boolean()),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: maybe(z.string()),
  html_url: z.string(),
  body: maybe(z.string()),
  /** Set if it is a pull request: GitHub lists these with the issues. */
  pull_request: maybe(z.object({})),
});
export type Issue = z.output<typeof issue>;

export const comment = z.object({
  id: z.int(),
  user: maybe(user),
  created_at: z.string(),
  updated_at: maybe(z.string()),
  html_url: z.string(),
  body: maybe(z.string()),
});

export const labelsOf = ({ labels }: Pick<Issue, 'labels'>): string[] =>
  labels.flatMap((one) => (typeof one === 'string' ? [one] : (one.name ?? [])));
