import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { findConversation } from '../conversations.ts';
import { lastEvents } from '../last-events.ts';
import { eventOutput } from '../readable.ts';
import { conversationOutput, shownConversation } from '../shown-conversation.ts';
import { meaning, stateOf } from '../state.ts';
import { conversationInput, openhandsTool } from '../tool.ts';

export const getConversationTool = openhandsTool({
  name: 'openhands_get_conversation',
  title: 'Show a conversation',
  description: 'Shows a conversation: its state, what that means, and the last things that happened.',
  phrases:
    'is openhands done; status of an openhands conversation; what is the agent doing; result of the openhands task',
  effect: 'read',
  input: z.strictObject({ id: conversationInput }),
  output: conversationOutput.extend({ meaning: z.string(), last: z.array(eventOutput).describe('The newest first') }),
  async run({ id }, openhands, { signal }) {
    const found = await findConversation(openhands, id, signal);
    const about = { ...shownConversation(found), meaning: meaning(stateOf(found)) };
    const last = await lastEvents(openhands, found.id, signal);
    return { ...about, last: last.slice(0, last.length === 0 ? 0 : fittingItems(last, about)) };
  },
});
