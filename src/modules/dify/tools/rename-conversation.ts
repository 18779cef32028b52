import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { text } from '../lenient.ts';
import { appInput, conversationInput, difyTool } from '../tool.ts';

export const renameConversationTool = difyTool({
  name: 'dify_rename_conversation',
  title: 'Rename a conversation',
  description: 'Gives a conversation a name. Without one, Dify makes one up.',
  phrases: 'rename a dify conversation; give a dify chat a title; change the name of a dify conversation',
  effect: 'update',
  input: z.strictObject({
    app: appInput,
    conversation_id: conversationInput,
    name: z.string().trim().min(1).max(255).optional().describe('New name'),
  }),
  output: z.object({ conversation_id: z.string(), name: z.string() }),
  async run({ app, conversation_id, name }, dify, { signal }) {
    const body = { user: dify.user, ...(name === undefined ? { auto_generate: true } : { name }) };
    const renamed = await dify
      .app(app)
      .get(z.object({ name: text }), ['conversations', conversation_id, 'name'], { method: 'POST', body, signal });
    return { conversation_id, name: brief(renamed.name ?? name ?? '', 600) };
  },
});
