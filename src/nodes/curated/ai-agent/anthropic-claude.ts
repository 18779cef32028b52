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
  description:
    'An AI agent that thinks with Claude of Anthropic: it answers, uses the tools attached to it and remembers.',
  configurations: {
    model_version: {
      type: 'string',
      description: 'Name of the model at Anthropic; get_node_options lists those of an account',
      required: true,
      default: 'claude-sonnet-5',
      at: 'Anthropic Chat Model: model.value',
    },
    ...agentConfigurations,
    temperature: {
      type: 'float',
      description: 'How freely it words things; not together with thinking',
      min: 0,
      max: 1,
      at: 'Anthropic Chat Model: options.temperature',
    },
    max_tokens: {
      type: 'integer',
      description: 'The longest answer',
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
      description: 'Three sentences for people who were not there.',
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
