import { z } from 'zod';
import { upstreamPages } from '../../upstream-pages.ts';
import { conversationPage } from '../answers.ts';
import { isAllowed } from '../conversations.ts';
import { conversationOutput, shownConversation } from '../shown-conversation.ts';
import { isBusy, stateOf } from '../state.ts';
import { cursorInput, cursorOutput, openhandsTool } from '../tool.ts';

export const listConversationsTool = openhandsTool({
  name: 'openhands_list_conversations',
  title: 'List conversations',
  description: 'Lists conversations with their state, repository and cost, the newest first.',
  phrases:
    'which openhands conversations are there; what is openhands working on; list openhands tasks; running agents',
  effect: 'read',
  input: z.strictObject({
    title: z.string().max(200).optional().describe('Part of the title'),
    busy: z.boolean().default(false).describe('Only those that are starting or working'),
    cursor: cursorInput,
  }),
  output: z.object({ conversations: z.array(conversationOutput), cursor: cursorOutput }),
  async run({ title, busy, cursor }, openhands, { signal }) {
    const { items, ...next } = await upstreamPages(
      { list: 'openhands_list_conversations', asked: { title, busy }, cursor },
      async (page_id) => {
        const query = { title__contains: title, limit: 50, page_id };
        const page = await openhands.ask(conversationPage, ['app-conversations', 'search'], { query, signal });
        return { items: page.items, next: page.next_page_id ?? undefined };
      },
      (one) => {
        if (!isAllowed(openhands, one) || (busy && !isBusy(stateOf(one)))) return undefined;
        return shownConversation(one);
      },
    );
    return { conversations: items, ...next };
  },
});
