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

const MODEL = '@n8n/n8n-nodes-langchain.lmChatAnthropic';

export const anthropicClaude: CuratedSpec = {
  type: 'AI_AGENT',
  subtype: 'ANTHROPIC_CLAUDE',
  nodes: [AGENT, MODEL],
  names: false,
  description: 'An AI agent that uses Claude from Anthropic: it answers, calls the attached tools and remembers.',
  configurations: {
    model_version: {
      type: 'string',
      description: 'Anthropic model name; get_node_options lists the models of an account',
      required: true,
      default: 'claude-sonnet-5',
      at: 'Anthropic Chat Model: model.value',
    },
    ...agentConfigurations,
    temperature: {
      type: 'float',
      description: 'Randomness of the wording; cannot be combined with thinking',
      min: 0,
      max: 1,
      at: 'Anthropic Chat Model: options.temperature',
    },
    max_tokens: {
      type: 'integer',
      description: 'Maximum length of the answer in tokens',
      default: 4096,
      min: 1,
      at: 'Anthropic Chat Model: options.maxTokensToSample',
    },
  },
  inputParams: agentInput,
  outputParams: agentOutput,
  inputPorts: agentInputPorts,
  outputPorts: agentOutputPorts,
  tags: ['ai', 'llm', 'anthropic', 'claude', 'chat', 'agent'],
  attachedNodes: agentAttachments,
  examples: [
    {
      name: 'Summarise a long text',
      description: 'At most three sentences, with every decision.',
      configurations: {
        model_version: 'claude-sonnet-5',
        system_prompt: 'Summarise in at most three sentences. Name every decision.',
        prompt: '={{ $json.transcript }}',
        max_tokens: 1000,
      },
      input: { transcript: 'Ann: We ship on Monday. Bob: Agreed, without the new search.' },
      output: { output: 'The release is on Monday. The new search is left out.' },
    },
  ],
  guidance: agentGuidance('anthropicApi'),
  fragment: (catalogue) =>
    agentWith(catalogue, {
      type: MODEL,
      name: 'Anthropic Chat Model',
      parameters: {
        model: { __rl: true, mode: 'id', value: 'claude-sonnet-5' },
        options: { maxTokensToSample: 4096 },
      },
    }),
};
