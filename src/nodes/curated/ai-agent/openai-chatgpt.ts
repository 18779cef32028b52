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
  description: 'An AI agent that uses a model from OpenAI: it answers, calls the attached tools and remembers.',
  configurations: {
    model_version: {
      type: 'string',
      description: 'Model name at OpenAI or a compatible API; get_node_options lists the models of an account',
      required: true,
      default: 'gpt-5-mini',
      at: 'OpenAI Chat Model: model.value',
    },
    ...agentConfigurations,
    temperature: {
      type: 'float',
      description: 'Randomness of the wording; leave it out for reasoning models, which do not accept it',
      min: 0,
      max: 2,
      at: 'OpenAI Chat Model: options.temperature',
    },
    max_tokens: {
      type: 'integer',
      description: 'Maximum length of the answer in tokens; -1: the model decides',
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
      name: 'Sort support emails',
      description: 'Answers with the department that should handle the message.',
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
