import { z } from 'zod';
import { memoryTool, metadataInput, namespaceInput, nearOutput, tagsInput, timeInput, ttlInput } from '../tool.ts';
import { iso } from '../times.ts';

export const memoryStore = memoryTool({
  name: 'memory_store',
  title: 'Remember',
  description:
    'Remembers a text. Names memories that say the same or contradict it. Long texts stay whole. To correct a memory, use memory_update.',
  phrases:
    'remember this; remember that; keep in mind; note down; make a note; save this for later; store a fact; save a decision; do not forget that; write it to memory; for next time; from now on; memorise; learn this about me; add a memory; this is worth knowing later; we decided that; record a preference',
  effect: 'create',
  input: z.strictObject({
    text: z.string().describe('What to remember, in words that can be understood later'),
    namespace: namespaceInput.describe('Where to; a new name makes a namespace of your own'),
    tags: tagsInput.describe('To filter by'),
    metadata: metadataInput,
    valid_from: timeInput.describe('True since: ISO time, or 7d for a week ago'),
    valid_to: timeInput.describe('True until'),
    ttl: ttlInput,
    pin: z.boolean().optional().describe('It does not fade with age'),
  }),
  output: z.object({
    id: z.string(),
    namespace: z.string(),
    recorded_at: z.string(),
    expires_at: z.string().optional(),
    ...nearOutput,
  }),
  examples: [{ title: 'A fact', arguments: { text: 'The staging database is on port 5433.', tags: ['staging'] } }],
  async run(given, { open }, context) {
    const { memory } = await open();
    const { memory: stored, duplicateOf, contradicts } = await memory.store(given, context);
    return {
      id: stored.id,
      namespace: stored.namespace,
      recorded_at: iso(stored.recordedAt),
      ...(stored.expiresAt !== undefined && { expires_at: iso(stored.expiresAt) }),
      ...(duplicateOf !== undefined && { duplicate_of: duplicateOf }),
      ...(contradicts.length > 0 && { contradicts }),
    };
  },
});
