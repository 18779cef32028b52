import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { textPart } from '../../text-part.ts';
import { type Message, messages } from '../answers.ts';
import type { Dify } from '../connection.ts';
import { appInput, conversationInput, difyTool, id, offsetInput } from '../tool.ts';

const MOST_PAGES = 20;

export const getMessageTool = difyTool({
  name: 'dify_get_message',
  title: 'Show an answer',
  description: 'Shows a whole answer, part by part: what a chat or a completion left out because it was long.',
  phrases: 'rest of the dify answer; read a long dify message; show more of the answer',
  effect: 'read',
  input: z.strictObject({
    app: appInput,
    message_id: id.describe('Id of the message'),
    conversation_id: conversationInput.optional().describe('Needed for older messages'),
    offset: offsetInput,
  }),
  output: z.object({
    message_id: z.string(),
    text: z.string(),
    characters: z.int().optional(),
    next_offset: z.int().optional(),
  }),
  async run({ app, message_id, conversation_id, offset }, dify, { signal }) {
    const kept = dify.answers.find(message_id);
    if (kept !== undefined) return { message_id, ...textPart(kept, offset) };
    if (conversation_id === undefined)
      throw new AppError(
        'not_found',
        `Sluice no longer has the message ${message_id}. If it is of a chat, give its conversation_id, too.`,
      );
    const found = await search(dify, { app, message_id, conversation_id }, signal);
    return { message_id, ...textPart(found.answer ?? '', offset) };
  },
});

interface Wanted {
  readonly app: string | undefined;
  readonly message_id: string;
  readonly conversation_id: string;
}

/** Dify cannot be asked for one message. */
async function search(dify: Dify, { app, message_id, conversation_id }: Wanted, signal: AbortSignal): Promise<Message> {
  let first_id: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { conversation_id, user: dify.user, limit: 100, first_id };
    const { data, has_more } = await dify.app(app).get(messages, ['messages'], { query, signal });
    const found = data.find(({ id: one }) => one === message_id);
    if (found) return found;
    first_id = data[0]?.id;
    if (!has_more || first_id === undefined) break;
  }
  throw new AppError(
    'not_found',
    `The conversation has no message ${message_id}. dify_list_messages shows its messages.`,
  );
}
