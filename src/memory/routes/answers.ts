import { z } from 'zod';
import { memoryOutput, nearOutput } from '../tool.ts';

const MOST_IN_PAGE = 500;

export const listQuery = z.strictObject({
  query: z.string().min(1).max(2000).optional().describe('A question, or words: the best first, without pages'),
  namespace: z.string().min(1).max(200).optional().describe('Only this namespace'),
  tags: z.string().max(5000).optional().describe('Only with all of these tags, separated by commas'),
  as_of: z.string().max(100).optional().describe('What was true then: an ISO time, or 30d'),
  since: z.string().max(100).optional().describe('Recorded since'),
  until: z.string().max(100).optional().describe('Recorded before'),
  pinned: z.enum(['true', 'false']).optional().describe('Only pinned ones, or only others; not with query'),
  history: z.enum(['true', 'false']).optional().describe('true: ended versions too; not with query'),
  limit: z.coerce.number().int().min(1).max(MOST_IN_PAGE).default(100).describe('With query at most 50'),
  cursor: z.string().max(5000).optional().describe('Of the page before; keep the filters the same'),
});

export const listAnswer = z.object({
  memories: z.array(
    memoryOutput.omit({ metadata: true }).extend({
      text: z.string().describe('Its beginning; with query, the passage that fits best'),
      truncated: z.boolean().optional().describe('The memory is longer'),
      score: z.number().optional(),
      why: z.record(z.string(), z.unknown()).optional().describe('As memory_search explains it'),
    }),
  ),
  cursor: z.string().optional().describe('For the next page'),
  note: z.string().optional(),
});

export const memoryAnswer = memoryOutput.extend({
  text: z.string().describe('All of it'),
  versions: z
    .array(
      z.object({
        id: z.string(),
        recorded_at: z.string(),
        valid_from: z.string(),
        valid_to: z.string().optional(),
        text: z.string().describe('Its beginning'),
        truncated: z.boolean().optional(),
      }),
    )
    .describe('Every version, newest first'),
  older: z.int().optional().describe('Versions that are not in the list'),
});

export const namespacesAnswer = z.object({
  namespaces: z.array(
    z.object({
      name: z.string(),
      belongs_to: z.string(),
      memories: z.int().describe('That are true now'),
      versions: z.int(),
      pinned: z.int(),
      bytes: z.int().describe('Of the texts'),
      oldest: z.string().optional(),
      newest: z.string().optional(),
    }),
  ),
});

export const nearAnswer = z.object(nearOutput);

export const stateAnswer = z.object({
  stored_in: z.string(),
  model: z.string().optional().describe('Compares meanings; without one, search uses words'),
  to_embed: z.int().optional().describe('Passages that wait for a vector; until then words find them'),
  problem: z.string().optional().describe('Why meanings cannot be compared'),
});
