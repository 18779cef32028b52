import { z } from 'zod';
import { loginOf } from './api/fields.ts';
import type { comment } from './api/issues.ts';
import { shownBody } from './body-text.ts';

/** The rest of a long comment is read with github_get_comment. */
const MOST_OF_COMMENT = 500;

export const commentOutput = z.object({
  id: z.int(),
  author: z.string(),
  created_at: z.string(),
  body: z.string().optional(),
  next_offset: z.int().optional().describe('There is more: read it with github_get_comment'),
});

export const shownComment = (one: z.output<typeof comment>): z.input<typeof commentOutput> => ({
  id: one.id,
  author: loginOf(one.user),
  created_at: one.created_at,
  ...shownBody(one.body, MOST_OF_COMMENT),
});
