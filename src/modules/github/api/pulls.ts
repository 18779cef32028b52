import { z } from 'zod';
import { user } from './fields.ts';
import { maybe } from '../lenient.ts';

const branch = z.object({
  ref: z.string(),
  sha: z.string(),
  /** Null if the fork was deleted. */
  repo: maybe(z.object({ full_name: z.string() })),
});

/** As the list has it. */
export const pull = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  draft: maybe(z.boolean()),
  user: maybe(user),
  labels: z.array(z.object({ name: maybe(z.string()) })).default([]),
  assignees: maybe(z.array(user)),
  requested_reviewers: maybe(z.array(user)),
  requested_teams: maybe(z.array(z.object({ slug: z.string() }))),
  head: branch,
  base: branch,
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: maybe(z.string()),
  merged_at: maybe(z.string()),
  html_url: z.string(),
  body: maybe(z.string()),
});
export type Pull = z.output<typeof pull>;

/** As one is read. */
export const wholePull = pull.extend({
  merged: maybe(z.boolean()),
  /** Null while GitHub still tries whether it can be merged. */
  mergeable: maybe(z.boolean()),
  mergeable_state: maybe(z.string()),
  merged_by: maybe(user),
  comments: maybe(z.int()),
  review_comments: maybe(z.int()),
  commits: maybe(z.int()),
  additions: maybe(z.int()),
  deletions: maybe(z.int()),
  changed_files: maybe(z.int()),
});
export type WholePull = z.output<typeof wholePull>;

export const review = z.object({
  id: z.int(),
  user: maybe(user),
  state: z.string(),
  body: maybe(z.string()),
  submitted_at: maybe(z.string()),
  commit_id: maybe(z.string()),
  html_url: z.string(),
});

export const reviewComment = z.object({
  id: z.int(),
  user: maybe(user),
  path: z.string(),
  line: maybe(z.int()),
  original_line: maybe(z.int()),
  side: maybe(z.string()),
  in_reply_to_id: maybe(z.int()),
  created_at: z.string(),
  html_url: z.string(),
  body: maybe(z.string()),
});
