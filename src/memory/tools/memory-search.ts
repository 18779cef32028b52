import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { filterInput, memoryOutput, memoryTool, shownMemory, timeInput } from '../tool.ts';

const USUAL = 8;

export const memorySearch = memoryTool({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'Finds memories by meaning and by words, the best first, with the passage that fits and why. memory_get gives the whole text.',
  phrases:
    'what do you know about; what did i tell you; recall what i said about; do you remember; do you still know which; have i told you; what did we decide; what have we agreed on; what was agreed in the meeting; remind me of; look it up in memory; find in my notes; search memories; what are my preferences; from an earlier conversation; last time we talked about; did we ever settle; what is known about a person; which one did we choose and why; facts about this project; what did they say',
  effect: 'read',
  input: z.strictObject({
    query: z.string().min(1).max(2000).describe('A question, or words'),
    ...filterInput,
    as_of: timeInput.describe('What was true then: ISO time or 30d'),
    limit: z.int().min(1).max(50).default(USUAL).describe('How many'),
  }),
  output: z.object({
    results: z.array(
      memoryOutput.extend({
        text: z.string().describe('The passage that fits best'),
        truncated: z.boolean().optional().describe('The memory is longer: memory_get'),
        score: z.number(),
        why: z.object({
          meaning: z.number().optional().describe('How near, up to 1'),
          words: z.array(z.string()).optional().describe('Words of the question in it'),
          related: z.array(z.string()).optional().describe('Words with much the same meaning'),
          age: z.number().optional().describe('What its age took off'),
        }),
      }),
    ),
    more: z.int().optional().describe('Results that do not fit: ask for less'),
    note: z.string().optional(),
  }),
  examples: [{ title: 'A question', arguments: { query: 'Which port does staging use?' } }],
  async run({ query, limit, ...filter }, { open }, context) {
    const { memory } = await open();
    const { found, trouble } = await memory.search(query, filter, limit, context);
    const results = found.map(({ memory: one, passage, score, why }) => ({
      ...shownMemory(one),
      text: passage,
      ...(passage.length < one.text.length && { truncated: true }),
      score,
      why,
    }));
    const fits = fittingItems(results);
    return {
      results: results.slice(0, fits),
      ...(fits < results.length && { more: results.length - fits }),
      ...(trouble !== undefined && { note: `Found by words only: ${trouble}` }),
    };
  },
});
