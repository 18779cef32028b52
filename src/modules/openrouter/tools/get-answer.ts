import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import { answers, ownerOf } from '../answers.ts';
import { partOf } from '../part-of.ts';
import { openrouterTool } from '../tool.ts';

export const getAnswer = openrouterTool({
  name: 'openrouter_get_answer',
  title: 'Get the rest of an answer',
  description: 'The rest of an answer that was too long for one reply. It costs nothing.',
  phrases: 'rest of the answer; read on; show the remaining text of the chat; next part of a long answer',
  effect: 'read',
  input: z.strictObject({
    id: z.string().min(1).max(200).describe('From openrouter_chat'),
    offset: z.int().min(0).default(0).describe('next_offset of the part before'),
  }),
  output: z.object({
    text: z.string(),
    characters: z.int().describe('Of the whole answer'),
    next_offset: z.int().optional(),
  }),
  async run({ id, offset }, openrouter, { principal }) {
    const text = answers.find(ownerOf(openrouter, principal), id);
    if (text === undefined)
      throw new AppError(
        'not_found',
        `There is no answer ${shown(id)} here. Only the last long answers are kept, in memory, for whoever asked; answers that fit into their reply are not.`,
      );
    if (offset > text.length) throw new AppError('invalid_input', `offset: the answer has ${text.length} characters.`);
    return { ...partOf(text, offset), characters: text.length };
  },
});
