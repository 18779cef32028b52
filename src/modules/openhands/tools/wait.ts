import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { findConversation } from '../conversations.ts';
import { lastEvents } from '../last-events.ts';
import { mostWait, polled } from '../polled.ts';
import { eventOutput } from '../readable.ts';
import { isBusy, meaning, stateOf } from '../state.ts';
import { conversationInput, openhandsTool } from '../tool.ts';

export const waitTool = openhandsTool({
  name: 'openhands_wait',
  title: 'Wait for a conversation',
  description: 'Waits until the agent is done, fails, or needs a person, and shows what happened last.',
  phrases: 'wait for openhands; wait until the agent is done; tell me when openhands has finished',
  effect: 'read',
  input: z.strictObject({
    id: conversationInput,
    seconds: z.int().min(1).max(3600).default(120).describe('At most; the timeout of the module limits it, too'),
  }),
  output: z.object({
    id: z.string(),
    state: z.string(),
    done: z.boolean().describe('false: it still works'),
    meaning: z.string(),
    last: z.array(eventOutput).describe('The newest first'),
  }),
  async run({ id, seconds }, openhands, { signal }, progress) {
    const seen = await polled(
      async (turn) => {
        const found = await findConversation(openhands, id, signal);
        progress(turn, undefined, `The conversation is ${stateOf(found)}`);
        return found;
      },
      {
        isDone: (found) => !isBusy(stateOf(found)),
        mostMs: Math.min(seconds * 1000, mostWait(openhands.timeoutMs)),
        signal,
      },
    );
    const state = stateOf(seen);
    const about = { id: seen.id, state, done: !isBusy(state), meaning: meaning(state) };
    const last = await lastEvents(openhands, seen.id, signal);
    return { ...about, last: last.slice(0, last.length === 0 ? 0 : fittingItems(last, about)) };
  },
});
