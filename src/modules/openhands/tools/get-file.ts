import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { textPart } from '../../text-part.ts';
import { findConversation } from '../conversations.ts';
import { inProject, projectOf } from '../project.ts';
import { conversationInput, offsetInput, openhandsTool, pathInput } from '../tool.ts';

export const getFileTool = openhandsTool({
  name: 'openhands_get_file',
  title: 'Read a file',
  description: 'Reads a text file of a conversation’s sandbox, part by part.',
  phrases: 'show a file of the openhands workspace; read what openhands wrote; content of a file in the sandbox',
  effect: 'read',
  input: z.strictObject({
    id: conversationInput,
    path: pathInput.describe('Relative to the project, or absolute'),
    offset: offsetInput,
  }),
  output: z.object({
    path: z.string(),
    text: z.string(),
    characters: z.int().optional(),
    next_offset: z.int().optional(),
  }),
  async run({ id, path, offset }, openhands, { signal }) {
    const found = await findConversation(openhands, id, signal);
    const file_path = inProject(projectOf(openhands.workspace, found), path);
    const text = await openhands.ask(z.string(), ['app-conversations', found.id, 'file'], {
      query: { file_path },
      signal,
    });
    // OpenHands says no more than that.
    if (text === '')
      throw new AppError(
        'not_found',
        `${file_path} is empty, does not exist, is not a text, or its sandbox does not run. openhands_list_files shows the files.`,
      );
    return { path: file_path, ...textPart(text, offset) };
  },
});
