import { fragmentNode } from '../../fragments/fragment.ts';
import { attaches } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = '@n8n/n8n-nodes-langchain.memoryBufferWindow';

export const conversationBuffer: CuratedSpec = {
  type: 'MEMORY',
  subtype: 'CONVERSATION_BUFFER',
  nodes: [NODE],
  names: true,
  description: 'Remembers the last turns of each conversation with an agent, in the memory of n8n.',
  configurations: {
    session_key: {
      type: 'string',
      description: 'Identifies the conversation',
      required: true,
      default: '={{ $json.sessionId }}',
      at: 'Simple Memory: sessionKey',
    },
    window_size: {
      type: 'integer',
      description: 'Number of turns (question and answer) to keep',
      default: 5,
      min: 1,
      at: 'Simple Memory: contextWindowLength',
    },
  },
  inputParams: { sessionId: { type: 'string', description: 'Id of the conversation', required: true, default: '' } },
  outputParams: {},
  inputPorts: [],
  outputPorts: [attaches('Simple Memory', 'ai_memory', 'To the ai_memory input of an agent or a chat trigger')],
  tags: ['memory', 'chat', 'history', 'conversation', 'context', 'buffer'],
  examples: [
    {
      name: 'A chat with history',
      description: 'With a chat trigger, which provides sessionId.',
      configurations: { window_size: 10 },
      input: { sessionId: 'c0ffee' },
    },
    {
      name: 'One conversation per person',
      description: 'With Telegram, where the chat id identifies the person.',
      configurations: { session_key: '={{ $json.message.chat.id }}', window_size: 5 },
    },
  ],
  guidance:
    'Attach it with a connection of type ai_memory to the agent. A restart of n8n deletes it, and workers do not share it. To keep it, use MEMORY.MEMORY_POSTGRES_CHAT or MEMORY.MEMORY_REDIS_CHAT.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Simple Memory',
        parameters: { sessionIdType: 'customKey', sessionKey: '={{ $json.sessionId }}', contextWindowLength: 5 },
      }),
    ],
    connections: {},
  }),
};
