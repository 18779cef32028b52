import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { findConversation } from '../conversations.ts';
import { isBusy, stateOf } from '../state.ts';
import { conversationInput, openhandsTool } from '../tool.ts';

export const deleteConversationTool = openhandsTool({
  name: 'openhands_delete_conversation',
  title: 'Delete a conversation',
  description: 'Deletes a conversation with its events and, unless others use it, its sandbox and the files in it.',
  phrases: 'delete an openhands conversation; remove an openhands task; clean up an openhands sandbox',
  effect: 'delete',
  input: z.strictObject({ id: conversationInput }),
  output: z.object({ id: z.string(), deleted: z.boolean() }),
  async preview({ id }, openhands, { signal }) {
    const found = await findConversation(openhands, id, signal);
    const state = stateOf(found);
    const title = found.title ? ` "${brief(found.title, 300)}"` : '';
    const on = found.selected_repository ? ` on ${brief(found.selected_repository, 200)}` : '';
    const works = isBusy(state) ? ' Its agent is working, and will be stopped.' : '';
    return `Deletes the conversation${title}${on} (${found.id}), which is ${state}, with its sandbox and what was not pushed.${works} This cannot be undone.`;
  },
  async run({ id }, openhands, { signal }) {
    const found = await findConversation(openhands, id, signal);
    await openhands.ask(z.unknown(), ['app-conversations', found.id], { method: 'DELETE', signal });
    return { id: found.id, deleted: true };
  },
});
