import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { upstreamPages } from '../../upstream-pages.ts';
import { conversations } from '../answers.ts';
import { timeOf } from '../lenient.ts';
import { appInput, cursorInput, cursorOutput, difyTool } from '../tool.ts';

export const listConversationsTool = difyTool({
  name: 'dify_list_conversations',
  title: 'List conversations',
  description: 'Lists the conversations of a chat app that were held through Sluice, the last first.',
  phrases: 'which dify conversations are there; list dify chats; find an earlier dify conversation',
  effect: 'read',
  input: z.strictObject({ app: appInput, cursor: cursorInput }),
  output: z.object({
    conversations: z.array(
      z.object({
        id: z.string(),
        name: z.string().optional(),
        created: z.string().optional(),
        updated: z.string().optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ app: given, cursor }, dify, { signal }) {
    const app = dify.app(given);
    const { items, ...next } = await upstreamPages(
      { list: 'dify_list_conversations', asked: { app: app.name }, cursor },
      async (last_id) => {
        const query = { user: dify.user, limit: 50, last_id };
        const { data, has_more } = await app.get(conversations, ['conversations'], { query, signal });
        return { items: data, next: has_more ? data.at(-1)?.id : undefined };
      },
      ({ id, name, created_at, updated_at }) => ({
        id,
        ...(name && { name: brief(name, 300) }),
        created: timeOf(created_at),
        updated: timeOf(updated_at),
      }),
    );
    return { conversations: items, ...next };
  },
});
