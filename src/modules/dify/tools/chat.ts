import { z } from 'zod';
import { answered, answerOutput } from '../answered.ts';
import { follow } from '../follow.ts';
import { appInput, difyTool, filesInput, id, inputsInput, sentFiles } from '../tool.ts';

export const chatTool = difyTool({
  name: 'dify_chat',
  title: 'Chat with an app',
  description:
    'Sends a message to a chatbot, an agent or a chatflow, and returns its answer. Goes on with a conversation if conversation_id is given.',
  phrases: 'ask the dify chatbot; chat with a dify app; send a message to a dify agent; continue a dify conversation',
  effect: 'execute',
  input: z.strictObject({
    app: appInput,
    query: z.string().min(1).max(200_000).describe('The message'),
    conversation_id: id.optional().describe('To go on with a conversation'),
    inputs: inputsInput,
    files: filesInput,
  }),
  output: answerOutput,
  examples: [{ title: 'Ask', arguments: { query: 'What is our policy on returns?' } }],
  async run({ app: given, query, conversation_id, inputs, files }, dify, { signal }, progress) {
    const app = dify.app(given);
    const body = {
      query,
      inputs,
      user: dify.user,
      response_mode: 'streaming',
      ...(conversation_id !== undefined && { conversation_id }),
      ...sentFiles(files),
    };
    const stop = (task: string) => ['chat-messages', task, 'stop'];
    return await dify.runs.run(async () => {
      const events = app.events(['chat-messages'], { body, signal, progress, stop });
      return answered(await follow(events, { at: dify.at, progress }), dify.answers);
    }, signal);
  },
});
