import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { globMatcher } from '../../../kernel/glob.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { brief } from '../../text-part.ts';
import { findConversation } from '../conversations.ts';
import { conversationInput, cursorInput, cursorOutput, openhandsTool } from '../tool.ts';

export const listFilesTool = openhandsTool({
  name: 'openhands_list_files',
  title: 'List files',
  description: 'Lists the files of a conversation’s project. OpenHands leaves out folders such as node_modules.',
  phrases: 'which files are in the openhands workspace; list files of the conversation; what files did openhands make',
  effect: 'read',
  input: z.strictObject({
    id: conversationInput,
    pattern: z.string().min(1).max(200).optional().describe('E.g. src/*.ts'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.int(), files: z.array(z.string()), cursor: cursorOutput }),
  async run({ id: given, pattern, cursor }, openhands, { signal }) {
    const { id } = await findConversation(openhands, given, signal);
    const { skip } = placeIn('openhands_list_files', { id, pattern }, cursor);
    const all = await openhands.ask(z.array(z.string()), ['app-conversations', id, 'files'], { signal });
    const fits = pattern === undefined ? () => true : globMatcher([pattern]);
    const wanted = all.map((path) => path.replace(/^\.\//, '')).filter(fits);
    const some = wanted.slice(skip, skip + 500).map((path) => brief(path, 1000));
    const files = some.slice(0, some.length === 0 ? 0 : fittingItems(some));
    const end = skip + files.length;
    return {
      total: wanted.length,
      files,
      ...(end < wanted.length && { cursor: cursorFor('openhands_list_files', { id, pattern }, { skip: end }) }),
    };
  },
});
