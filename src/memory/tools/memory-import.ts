import { z } from 'zod';
import { memoryTool, namespaceInput } from '../tool.ts';

/** One text of the largest size fits, however much of it JSON escapes. */
const MOST_CHARACTERS = 8_000_000;

export const memoryImport = memoryTool({
  name: 'memory_import',
  title: 'Import memories',
  description:
    'Imports many memories at once: an export of Sluice, Markdown (a memory for each section), JSON or JSON Lines with a text each. Send about 1 MB a call. What is there already is left out, so a call can be repeated.',
  phrases:
    'import memories from a file; load an export into memory; bring my notes into memory; migrate memories from mem0; import markdown notes; import memory.jsonl; restore memories from a backup',
  effect: 'create',
  input: z.strictObject({
    content: z.string().max(MOST_CHARACTERS).describe('Of the file'),
    format: z.enum(['auto', 'jsonl', 'markdown', 'json']).default('auto'),
    name: z.string().min(1).max(500).default('import').describe('Of the file, e.g. notes/ada.md'),
    namespace: namespaceInput.describe('Where all of it goes to (an export: where it was)'),
  }),
  output: z.object({
    imported: z.int(),
    known: z.int().describe('Were there already'),
    expired: z.int().optional().describe('Left out'),
    namespaces: z.array(z.string()),
    broken: z.int().optional().describe('Lines or items that were not imported'),
    problems: z
      .array(z.object({ line: z.int().optional(), reason: z.string() }))
      .optional()
      .describe('The first of them'),
    note: z.string().optional(),
  }),
  examples: [
    { title: 'A note', arguments: { name: 'ada.md', content: '---\ntags: [ada]\n---\n# Ada\n\nLikes tea.\n' } },
  ],
  async run({ content, format, name, namespace }, { open }, context, progress) {
    const [{ readContent }, { importParsed }, { memory, namespaces }] = await Promise.all([
      import('../transfer/read.ts'),
      import('../transfer/import-parsed.ts'),
      open(),
    ]);
    // Before any of it is stored.
    memory.refuseSecrets({ content, name, namespace });
    const parsed = await readContent(content, name, format);
    return importParsed(parsed, { memory, namespaces, namespace, name, context, progress });
  },
});
