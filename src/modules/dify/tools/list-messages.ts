import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { upstreamPages } from '../../upstream-pages.ts';
import { messages } from '../answers.ts';
import { timeOf } from '../lenient.ts';
import { appInput, conversationInput, cursorInput, cursorOutput, difyTool } from '../tool.ts';

export const listMessagesTool = difyTool({
  name: 'dify_list_messages',
  title: 'List messages',
  description: 'Lists the messages of a conversation with their answers, the last first.',
  phrases: 'what was said in this dify conversation; read a dify chat; history of a dify conversation',
  effect: 'read',
  input: z.strictObject({ app: appInput, conversation_id: conversationInput, cursor: cursorInput }),
  output: z.object({
    messages: z.array(
      z.object({
        id: z.string(),
        query: z.string().optional(),
        answer: z.string().optional().describe('dify_get_message shows long ones whole'),
        error: z.string().optional(),
        rating: z.string().optional(),
        created: z.string().optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ app: given, conversation_id, cursor }, dify, { signal }) {
    const app = dify.app(given);
    const { items, ...next } = await upstreamPages(
      { list: 'dify_list_messages', asked: { app: app.name, conversation_id }, cursor },
      async (first_id) => {
        const query = { conversation_id, user: dify.user, limit: 20, first_id };
        const { data, has_more } = await app.get(messages, ['messages'], { query, signal });
        // A page is in the order of time, and the next one is older.
        return { items: data.toReversed(), next: has_more ? data[0]?.id : undefined };
      },
      (one) => ({
        id: one.id,
        ...(one.query && { query: brief(one.query, 1000) }),
        ...(one.answer && { answer: brief(one.answer, 2500) }),
        ...(one.error && { error: brief(one.error, 600) }),
        ...(one.feedback?.rating && { rating: one.feedback.rating.slice(0, 20) }),
        created: timeOf(one.created_at),
      }),
    );
    return { messages: items, ...next };
  },
});
