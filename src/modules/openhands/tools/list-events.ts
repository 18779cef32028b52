import { z } from 'zod';
import { upstreamPages } from '../../upstream-pages.ts';
import { eventPage } from '../answers.ts';
import { findConversation } from '../conversations.ts';
import { eventOutput, readable } from '../readable.ts';
import { conversationInput, cursorInput, cursorOutput, openhandsTool } from '../tool.ts';

export const listEventsTool = openhandsTool({
  name: 'openhands_list_events',
  title: 'List events',
  description: 'Lists what happened in a conversation: messages, commands and their output, edits, errors.',
  phrases:
    'what did openhands do; commands the agent ran; messages of an openhands conversation; log of the agent; why did it fail',
  effect: 'read',
  input: z.strictObject({
    id: conversationInput,
    order: z.enum(['newest', 'oldest']).default('newest').describe('Which comes first'),
    only: z.enum(['all', 'messages', 'errors']).default('all'),
    cursor: cursorInput,
  }),
  output: z.object({ events: z.array(eventOutput), cursor: cursorOutput }),
  async run({ id: given, order, only, cursor }, openhands, { signal }) {
    const { id } = await findConversation(openhands, given, signal);
    const { items, ...next } = await upstreamPages(
      { list: 'openhands_list_events', asked: { id, order, only }, cursor },
      async (page_id) => {
        const sort_order = order === 'newest' ? 'TIMESTAMP_DESC' : 'TIMESTAMP';
        const query = { sort_order, limit: 50, page_id };
        const page = await openhands.ask(eventPage, ['conversation', id, 'events', 'search'], { query, signal });
        return { items: page.items, next: page.next_page_id ?? undefined };
      },
      (event) => {
        const shown = readable(event, 1600);
        if (only === 'messages' && shown?.what !== 'message') return undefined;
        return only === 'errors' && shown?.failed !== true ? undefined : shown;
      },
    );
    return { events: items, ...next };
  },
});
