import { z } from 'zod';
import { memoryTool } from '../tool.ts';

export const memoryGetStats = memoryTool({
  name: 'memory_get_stats',
  title: 'Memory statistics',
  description: 'Says how much is remembered, where it is stored, and which model compares meanings.',
  phrases:
    'how big is the memory; how much is remembered; memory statistics; how many memories are there in all; which embedding model; is the memory healthy; where are memories stored; how many wait to be embedded; size of the memory; state of the memory',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    stored_in: z.string(),
    model: z.string().optional().describe('Compares meanings; without one, search uses words'),
    memories: z.int(),
    versions: z.int(),
    passages: z.int(),
    bytes: z.int().describe('Of the texts'),
    namespaces: z.int(),
    to_embed: z.int().optional().describe('Passages that wait for a vector; until then words find them'),
    problem: z.string().optional(),
  }),
  async run(_, { open }, { principal }) {
    const { memory, namespaces } = await open();
    const names = (await namespaces.list(principal)).map(({ name }) => name);
    const [contents, stats] = await Promise.all([memory.contents(names), memory.stats()]);
    const sum = (of: 'memories' | 'versions' | 'passages' | 'bytes') =>
      contents.reduce((total, content) => total + content[of], 0);
    return {
      stored_in: stats.engine,
      ...(stats.model !== undefined && { model: stats.model }),
      memories: sum('memories'),
      versions: sum('versions'),
      passages: sum('passages'),
      bytes: sum('bytes'),
      namespaces: names.length,
      ...(stats.waiting !== undefined && stats.waiting > 0 && { to_embed: stats.waiting }),
      ...(stats.trouble !== undefined && { problem: stats.trouble }),
    };
  },
});
