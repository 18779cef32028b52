import { fragmentNode } from '../../fragments/fragment.ts';
import { attaches } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = '@n8n/n8n-nodes-langchain.memoryBufferWindow';

export const conversationBuffer: CuratedSpec = {
  type: 'MEMORY',
  subtype: 'CONVERSATION_BUFFER',
  nodes: [NODE],
  names: true,
  description: 'Remembers the last turns of each conversation of an agent, in the memory of n8n.',
  configurations: {
    session_key: {
      type: 'string',
      description: 'What tells conversations apart',
      required: true,
      default: '={{ $json.sessionId }}',
      at: 'Simple Memory: sessionKey',
    },
    window_size: {
      type: 'integer',
      description: 'How many turns (question and answer) are kept',
      default: 5,
      min: 1,
      at: 'Simple Memory: contextWindowLength',
    },
  },
  inputParams: { sessionId: { type: 'string', description: 'Which conversation', required: true, default: '' } },
  outputParams: {},
  inputPorts: [],
  outputPorts: [attaches('Simple Memory', 'ai_memory', 'To the ai_memory input of an agent or a chat trigger')],
  tags: ['memory', 'chat', 'history', 'conversation', 'context', 'buffer'],
  examples: [
    {
      name: 'A chat that knows what was said',
      description: 'With a chat trigger, which gives sessionId.',
      configurations: { window_size: 10 },
      input: { sessionId: 'c0ffee' },
    },
    {
      name: 'One conversation for each person',
      description: 'With Telegram, where the chat tells them apart.',
      configurations: { session_key: '={{ $json.message.chat.id }}', window_size: 5 },
    },
  ],
  guidance:
    'Attach it: a connection of type ai_memory to the agent. It is gone when n8n restarts, and is not shared by several workers: for that take MEMORY.MEMORY_POSTGRES_CHAT or MEMORY.MEMORY_REDIS_CHAT.',
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
