import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { shortened } from '../shortened.ts';
import { filterInput, memoryOutput, memoryTool, shownMemory, timeInput } from '../tool.ts';

const USUAL = 20;

export const memoryListMemories = memoryTool({
  name: 'memory_list_memories',
  title: 'List memories',
  description: 'Lists memories, newest first. Filters by namespace, tags, metadata and time.',
  phrases:
    'list all memories; list the newest memories; what have you remembered lately; what was remembered this week; what is in memory; browse memories; show everything remembered with a tag; page through memories; go through the memory; recent memories; memories since monday; all pinned memories',
  effect: 'read',
  input: z.strictObject({
    ...filterInput,
    as_of: timeInput.describe('What was true then'),
    history: z.boolean().optional().describe('Ended versions too'),
    pinned: z.boolean().optional().describe('Only pinned ones, or only others'),
    limit: z.int().min(1).max(100).default(USUAL).describe('How many'),
    cursor: z.string().optional().describe('From the page before'),
  }),
  output: z.object({
    memories: z.array(memoryOutput.extend({ text: z.string(), truncated: z.boolean().optional() })),
    cursor: z.string().optional().describe('For the next page'),
  }),
  async run({ limit, cursor, ...filter }, { open }, { principal }) {
    const { memory } = await open();
    const { memories, more, cursorAfter } = await memory.page(filter, limit, cursor, principal);
    const items = memories.map((one) => ({ ...shownMemory(one), ...shortened(one.text) }));
    const fits = fittingItems(items);
    const last = memories[fits - 1];
    return {
      memories: items.slice(0, fits),
      ...(last && (more || fits < items.length) && { cursor: cursorAfter(last) }),
    };
  },
});
