import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { brief } from '../../text-part.ts';
import { changes } from '../answers.ts';
import { findConversation } from '../conversations.ts';
import { projectOf } from '../project.ts';
import { conversationInput, cursorInput, cursorOutput, openhandsTool, pathInput } from '../tool.ts';

export const listChangesTool = openhandsTool({
  name: 'openhands_list_changes',
  title: 'List changes',
  description: 'Lists the files that a conversation has added, changed or deleted in its git repository.',
  phrases: 'what did openhands change; changed files of the conversation; git status in the openhands sandbox',
  effect: 'read',
  input: z.strictObject({
    id: conversationInput,
    directory: pathInput.startsWith('/').optional().describe('Root of the repository, if it is elsewhere'),
    cursor: cursorInput,
  }),
  output: z.object({
    total: z.int(),
    changes: z.array(z.object({ path: z.string(), status: z.string() })),
    cursor: cursorOutput,
  }),
  async run({ id, directory, cursor }, openhands, { signal }) {
    const found = await findConversation(openhands, id, signal);
    const asked = { id: found.id, directory };
    const { skip } = placeIn('openhands_list_changes', asked, cursor);
    const path = directory ?? projectOf(openhands.workspace, found);
    const all = await openhands.ask(changes, ['app-conversations', found.id, 'git', 'changes'], {
      query: { path },
      signal,
    });
    const some = all
      .slice(skip, skip + 300)
      .map((one) => ({ path: brief(one.path, 1000), status: one.status.toLowerCase().slice(0, 20) }));
    const page = some.slice(0, some.length === 0 ? 0 : fittingItems(some));
    const end = skip + page.length;
    return {
      total: all.length,
      changes: page,
      ...(end < all.length && { cursor: cursorFor('openhands_list_changes', asked, { skip: end }) }),
    };
  },
});
