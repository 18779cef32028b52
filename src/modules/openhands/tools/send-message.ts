import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { brief } from '../../text-part.ts';
import type { Conversation } from '../answers.ts';
import type { OpenHands } from '../connection.ts';
import { findConversation, takePlace } from '../conversations.ts';
import { mostWait, polled } from '../polled.ts';
import { isBusy, meaning, stateOf } from '../state.ts';
import { conversationInput, openhandsTool, taskInput } from '../tool.ts';

export const sendMessageTool = openhandsTool({
  name: 'openhands_send_message',
  title: 'Send a message',
  description: 'Sends the agent of a conversation a message, and lets it work on. Wakes a sandbox that is paused.',
  phrases:
    'tell the openhands agent something; answer openhands; continue an openhands conversation; follow-up for the agent',
  effect: 'execute',
  input: z.strictObject({ id: conversationInput, message: taskInput.describe('What to tell the agent') }),
  output: z.object({ id: z.string(), sent: z.boolean(), note: z.string().optional() }),
  async run({ id, message }, openhands, { signal }, progress) {
    const found = await findConversation(openhands, id, signal);
    using _ = await takePlace(openhands, signal, found.id);
    const awake = await woken(openhands, found, signal, (turn, text) => progress(turn, undefined, text));
    if (awake.sandbox_status !== 'RUNNING')
      throw new AppError('conflict', `The message was not sent. ${meaning(stateOf(awake))}`);
    const sent = z.object({ success: z.boolean(), message: z.string().nullish() });
    const body = { role: 'user', content: [{ type: 'text', text: message }], run: true };
    const path = ['app-conversations', found.id, 'send-message'];
    const said = await openhands.ask(sent, path, { method: 'POST', body, signal, progress });
    return { id: found.id, sent: said.success, ...(said.message && { note: brief(said.message, 600) }) };
  },
});

/** The conversation with its sandbox running, as far as that can be had. */
async function woken(
  openhands: OpenHands,
  found: Conversation,
  signal: AbortSignal,
  tell: (turn: number, text: string) => void,
): Promise<Conversation> {
  const { sandbox_id, sandbox_status } = found;
  if (sandbox_status === 'PAUSED' && sandbox_id)
    await openhands.ask(z.unknown(), ['sandboxes', sandbox_id, 'resume'], { method: 'POST', signal });
  else if (!isBusy(stateOf(found))) return found;
  return await polled(
    async (turn) => {
      const seen = await findConversation(openhands, found.id, signal);
      tell(turn, `The sandbox is ${seen.sandbox_status ?? 'unknown'}`);
      return seen;
    },
    {
      isDone: (seen) => seen.sandbox_status !== 'PAUSED' && seen.sandbox_status !== 'STARTING',
      mostMs: mostWait(openhands.timeoutMs),
      signal,
    },
  );
}
