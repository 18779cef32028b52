import { z } from 'zod';
import { idInput, memoryTool, metadataInput, nearOutput, tagsInput, timeInput, ttlInput } from '../tool.ts';
import { iso } from '../times.ts';
import { AppError } from '../../kernel/errors.ts';

export const memoryUpdate = memoryTool({
  name: 'memory_update',
  title: 'Update a memory',
  description:
    'Supersedes a memory with a new version. The old one stays, with the time at which it ended. Give only what changes.',
  phrases:
    'correct a memory; that is no longer true; what you remember is wrong; change what you remember; update a fact; it ended last week; replace a memory; the address has changed; fix an outdated memory; this was only true until; supersede a memory; edit tags of a memory',
  effect: 'update',
  input: z.strictObject({
    id: idInput,
    text: z.string().optional().describe('The new text'),
    tags: tagsInput.describe('Instead of the old ones'),
    metadata: metadataInput,
    valid_from: timeInput.describe('The new text is true since (now)'),
    valid_to: timeInput.describe('It was true until'),
    ttl: ttlInput,
  }),
  output: z.object({
    id: z.string().describe('Of the new version'),
    supersedes: z.string(),
    recorded_at: z.string(),
    valid_from: z.string(),
    valid_to: z.string().optional(),
    ...nearOutput,
  }),
  async run({ id, ...given }, { open }, context) {
    if (Object.values(given).every((value) => value === undefined))
      throw new AppError('invalid_input', 'Nothing changes. Give text, tags, metadata, valid_from, valid_to or ttl.');
    const { memory } = await open();
    const { memory: made, supersedes, duplicateOf, contradicts } = await memory.update(id, given, context);
    return {
      id: made.id,
      supersedes,
      recorded_at: iso(made.recordedAt),
      valid_from: iso(made.validFrom),
      ...(made.validTo !== undefined && { valid_to: iso(made.validTo) }),
      ...(duplicateOf !== undefined && { duplicate_of: duplicateOf }),
      ...(contradicts.length > 0 && { contradicts }),
    };
  },
});
