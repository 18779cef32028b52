import { z } from 'zod';
import { info } from '../answers.ts';
import { appInput, difyTool, id } from '../tool.ts';

export const stopTaskTool = difyTool({
  name: 'dify_stop_task',
  title: 'Stop a task',
  description:
    'Stops a chat, completion or workflow that is running. Cancelling a call of Sluice stops its task already.',
  phrases: 'stop a dify task; cancel a running dify workflow; abort a dify answer',
  effect: 'execute',
  input: z.strictObject({ app: appInput, task_id: id.describe('From an event of its stream') }),
  output: z.object({ task_id: z.string(), result: z.string() }),
  async run({ app: given, task_id }, dify, { signal }) {
    const app = dify.app(given);
    const { mode } = await app.get(info, ['info'], { signal });
    await app.send(stopPath(mode, task_id), { method: 'POST', body: { user: dify.user }, signal });
    return { task_id, result: 'Dify was told to stop it, if it runs.' };
  },
});

function stopPath(mode: string | null | undefined, task: string): readonly string[] {
  if (mode === 'workflow') return ['workflows', 'tasks', task, 'stop'];
  return [mode === 'completion' ? 'completion-messages' : 'chat-messages', task, 'stop'];
}
