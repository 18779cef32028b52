import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { findConversation } from '../conversations.ts';
import { meaning, stateOf } from '../state.ts';
import { conversationInput, openhandsTool } from '../tool.ts';

export const stopConversationTool = openhandsTool({
  name: 'openhands_stop_conversation',
  title: 'Stop a conversation',
  description:
    'Pauses the sandbox of a conversation, and with it the agent. Other conversations in that sandbox stop, too. A message wakes it.',
  phrases: 'stop openhands; pause the agent; stop an openhands conversation; cancel the openhands task',
  effect: 'execute',
  input: z.strictObject({ id: conversationInput }),
  output: z.object({ id: z.string(), stopped: z.boolean() }),
  async run({ id }, openhands, { signal }) {
    const found = await findConversation(openhands, id, signal);
    const { sandbox_id, sandbox_status } = found;
    if (sandbox_status === 'PAUSED') return { id: found.id, stopped: true };
    if (!sandbox_id || sandbox_status === 'MISSING')
      throw new AppError('conflict', `There is nothing to stop. ${meaning(stateOf(found))}`);
    await openhands.ask(z.unknown(), ['sandboxes', sandbox_id, 'pause'], { method: 'POST', signal });
    return { id: found.id, stopped: true };
  },
});
