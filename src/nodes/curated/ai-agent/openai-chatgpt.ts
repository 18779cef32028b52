import type { CuratedSpec } from '../spec.ts';
import {
  AGENT,
  agentAttachments,
  agentConfigurations,
  agentGuidance,
  agentInput,
  agentInputPorts,
  agentOutput,
  agentOutputPorts,
  agentWith,
} from './agent.ts';

const MODEL = '@n8n/n8n-nodes-langchain.lmChatOpenAi';

export const openAiChatGpt: CuratedSpec = {
  type: 'AI_AGENT',
  subtype: 'OPENAI_CHATGPT',
  nodes: [AGENT, MODEL],
  names: false,
  description:
    'An AI agent that thinks with a model of OpenAI: it answers, uses the tools attached to it and remembers.',
  configurations: {
    model_version: {
      type: 'string',
      description:
        'Name of the model at OpenAI, or at whatever speaks its API; get_node_options lists those of an account',
      required: true,
      default: 'gpt-5-mini',
      at: 'OpenAI Chat Model: model.value',
    },
    ...agentConfigurations,
    temperature: {
      type: 'float',
      description: 'How freely it words things; models that reason take none, so leave it out for them',
      min: 0,
      max: 2,
      at: 'OpenAI Chat Model: options.temperature',
    },
    max_tokens: {
      type: 'integer',
      description: 'The longest answer; -1 leaves it to the model',
      default: -1,
      at: 'OpenAI Chat Model: options.maxTokens',
    },
  },
  inputParams: agentInput,
  outputParams: agentOutput,
  inputPorts: agentInputPorts,
  outputPorts: agentOutputPorts,
  tags: ['ai', 'llm', 'openai', 'chatgpt', 'gpt', 'chat', 'agent'],
  attachedNodes: agentAttachments,
  examples: [
    {
      name: 'Sort support mail',
      description: 'Names the department that a message belongs to, in one word.',
      configurations: {
        model_version: 'gpt-5-mini',
        system_prompt: 'Answer with one word: billing, technical or other.',
        prompt: '={{ $json.textPlain }}',
      },
      input: { textPlain: 'I was charged twice this month.' },
      output: { output: 'billing' },
    },
  ],
  guidance: agentGuidance('openAiApi'),
  fragment: (catalogue) =>
    agentWith(catalogue, {
      type: MODEL,
      name: 'OpenAI Chat Model',
      parameters: { model: { __rl: true, mode: 'id', value: 'gpt-5-mini' }, options: {} },
    }),
};
