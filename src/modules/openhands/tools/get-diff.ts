import { z } from 'zod';
import { textPart } from '../../text-part.ts';
import { diff } from '../answers.ts';
import { findConversation } from '../conversations.ts';
import { lineDiff } from '../line-diff.ts';
import { inProject, projectOf } from '../project.ts';
import { conversationInput, offsetInput, openhandsTool, pathInput } from '../tool.ts';

export const getDiffTool = openhandsTool({
  name: 'openhands_get_diff',
  title: 'Show a diff',
  description: 'Shows how a conversation has changed a file: lines with - and +, part by part.',
  phrases: 'diff of a file in openhands; what did the agent change in this file; show the change of openhands',
  effect: 'read',
  input: z.strictObject({
    id: conversationInput,
    path: pathInput.describe('From openhands_list_changes'),
    offset: offsetInput,
  }),
  output: z.object({
    path: z.string(),
    change: z.enum(['added', 'changed', 'deleted', 'none']),
    text: z.string(),
    characters: z.int().optional(),
    next_offset: z.int().optional(),
  }),
  async run({ id, path: given, offset }, openhands, { signal }) {
    const found = await findConversation(openhands, id, signal);
    const path = inProject(projectOf(openhands.workspace, found), given);
    const { original, modified } = await openhands.ask(diff, ['app-conversations', found.id, 'git', 'diff'], {
      query: { path },
      signal,
    });
    const text = lineDiff(original ?? '', modified ?? '');
    return { path, change: text === '' ? ('none' as const) : changeOf(original, modified), ...textPart(text, offset) };
  },
});

function changeOf(
  original: string | null | undefined,
  modified: string | null | undefined,
): 'added' | 'changed' | 'deleted' {
  if (!original) return 'added';
  return modified ? 'changed' : 'deleted';
}
