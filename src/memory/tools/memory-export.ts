import { z } from 'zod';
import { memoryTool, namespaceInput } from '../tool.ts';

export const memoryExport = memoryTool({
  name: 'memory_export',
  title: 'Export memories',
  description:
    'Exports memories as text, piece by piece: join the pieces. JSON Lines has everything, with earlier versions; Markdown has what is true now. memory_import takes both.',
  phrases:
    'export all memories; back up the memory; download everything you remember; take my memories to another program; dump memory as json; memories as markdown',
  effect: 'read',
  input: z.strictObject({
    namespace: namespaceInput.describe('Only this one (all that you share or own)'),
    format: z.enum(['jsonl', 'markdown']).default('jsonl'),
    cursor: z.string().optional().describe('From the piece before'),
    characters: z.int().min(1000).max(2_000_000).optional().describe('At most so many a piece, for programs'),
  }),
  output: z.object({
    content: z.string(),
    memories: z.int().describe('That end in this piece'),
    cursor: z.string().optional().describe('There is more'),
  }),
  async run({ namespace, format, cursor, characters }, { open }, { principal }) {
    const [{ exportPiece }, { memory }] = await Promise.all([import('../transfer/export-piece.ts'), open()]);
    return exportPiece({
      whole: (limit, after) => memory.whole(namespace, limit, after, principal),
      namespace,
      format,
      cursor,
      characters,
    });
  },
});
