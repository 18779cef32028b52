import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { messages } from '../answers.ts';
import { appInput, conversationInput, difyTool } from '../tool.ts';

export const deleteConversationTool = difyTool({
  name: 'dify_delete_conversation',
  title: 'Delete a conversation',
  description: 'Deletes a conversation with its messages.',
  phrases: 'delete a dify conversation; remove a dify chat; forget a conversation in dify',
  effect: 'delete',
  input: z.strictObject({ app: appInput, conversation_id: conversationInput }),
  output: z.object({ conversation_id: z.string(), deleted: z.boolean() }),
  async preview({ app, conversation_id }, dify, { signal }) {
    const query = { conversation_id, user: dify.user, limit: 20 };
    const { data, has_more } = await dify.app(app).get(messages, ['messages'], { query, signal });
    const last = data.at(-1)?.query;
    const count = `${has_more ? 'more than ' : ''}${data.length} message${data.length === 1 ? '' : 's'}`;
    return `Deletes the conversation ${conversation_id} with ${count}${last ? `, the last of them: "${brief(last, 200)}"` : ''}. This cannot be undone.`;
  },
  async run({ app, conversation_id }, dify, { signal }) {
    await dify
      .app(app)
      .send(['conversations', conversation_id], { method: 'DELETE', body: { user: dify.user }, signal });
    return { conversation_id, deleted: true };
  },
});
