import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { brief } from '../../text-part.ts';
import { startTask, startTasks } from '../answers.ts';
import { takePlace } from '../conversations.ts';
import { mostWait, polled } from '../polled.ts';
import { openhandsTool, taskInput } from '../tool.ts';

const ENDS = new Set(['READY', 'ERROR']);

export const startConversationTool = openhandsTool({
  name: 'openhands_start_conversation',
  title: 'Start a conversation',
  description:
    'Gives OpenHands a task, on a repository or in an empty workspace, and waits until its agent has begun. openhands_wait waits for the result.',
  phrases:
    'let openhands do this; start an openhands agent; give openhands a task; fix this in the repository with openhands',
  effect: 'execute',
  input: z.strictObject({
    task: taskInput.describe('What the agent should do'),
    repository: z
      .string()
      .regex(/^[\w.-]+(?:\/[\w.-]+)+$/, 'must be like owner/name')
      // Whoever clones the repository would follow them, out of what is allowed.
      .refine((name) => !name.split('/').some((part) => part === '.' || part === '..'), 'must not contain . or ..')
      .max(200)
      .optional()
      .describe('owner/name'),
    branch: z.string().min(1).max(250).optional().describe('Branch of the repository'),
    title: z.string().max(200).optional().describe('Name of the conversation'),
  }),
  output: z.object({
    id: z.string().optional().describe('Of the conversation'),
    start_task: z.string(),
    status: z.string(),
    note: z.string().optional(),
  }),
  examples: [{ title: 'On a repository', arguments: { task: 'Fix the failing test', repository: 'acme/shop' } }],
  async run({ task, repository, branch, title }, openhands, { signal }, progress) {
    if (repository !== undefined) openhands.repositories.need(repository);
    else if (openhands.isLimited)
      throw new AppError(
        'forbidden',
        `Name a repository: ${openhands.setting}.repositories in sluice.yaml limits what OpenHands may work on.`,
      );
    if (branch !== undefined && repository === undefined)
      throw new AppError('invalid_input', 'A branch needs a repository.');
    const body = {
      initial_message: { role: 'user', content: [{ type: 'text', text: task }], run: true },
      ...(repository !== undefined && { selected_repository: repository }),
      ...(branch !== undefined && { selected_branch: branch }),
      ...(title !== undefined && { title }),
    };
    using _ = await takePlace(openhands, signal);
    const begun = await openhands.ask(startTask, ['app-conversations'], { method: 'POST', body, signal, progress });
    const path = ['app-conversations', 'start-tasks'];
    const state = await polled(
      async (turn) => {
        const [seen] = await openhands.ask(startTasks, path, { query: { ids: begun.id }, signal });
        progress(turn, undefined, seen?.status ?? 'WORKING');
        return seen ?? begun;
      },
      { isDone: ({ status }) => ENDS.has(status ?? ''), mostMs: mostWait(openhands.timeoutMs), signal },
    );
    if (state.status === 'ERROR')
      throw new AppError(
        'conflict',
        `OpenHands could not start: ${brief(state.detail || 'it gives no reason', 1000)}. Check the repository, the branch, and that OpenHands may use them.`,
      );
    return {
      ...(state.app_conversation_id && { id: state.app_conversation_id }),
      start_task: begun.id,
      status: state.status ?? 'WORKING',
      ...(state.status !== 'READY' && {
        note: 'The sandbox is still starting. openhands_list_conversations shows when it works.',
      }),
    };
  },
});
