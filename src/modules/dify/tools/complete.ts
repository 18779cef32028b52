import { z } from 'zod';
import { answered, answerOutput } from '../answered.ts';
import { follow } from '../follow.ts';
import { appInput, difyTool, filesInput, inputsInput, sentFiles } from '../tool.ts';

export const completeTool = difyTool({
  name: 'dify_complete',
  title: 'Generate a text',
  description: 'Runs a text generator app with its inputs, and returns the text.',
  phrases: 'generate a text with dify; run a dify completion app; fill in a dify prompt template',
  effect: 'execute',
  input: z.strictObject({
    app: appInput,
    inputs: inputsInput,
    query: z.string().max(200_000).optional().describe('If the app takes one besides its inputs'),
    files: filesInput,
  }),
  output: answerOutput,
  async run({ app: given, inputs, query, files }, dify, { signal }, progress) {
    const app = dify.app(given);
    const body = {
      inputs,
      user: dify.user,
      response_mode: 'streaming',
      ...(query !== undefined && { query }),
      ...sentFiles(files),
    };
    const stop = (task: string) => ['completion-messages', task, 'stop'];
    return await dify.runs.run(async () => {
      const events = app.events(['completion-messages'], { body, signal, progress, stop });
      return answered(await follow(events, { at: dify.at, progress }), dify.answers);
    }, signal);
  },
});
