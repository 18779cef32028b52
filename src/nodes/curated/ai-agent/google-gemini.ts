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

const MODEL = '@n8n/n8n-nodes-langchain.lmChatGoogleGemini';

export const googleGemini: CuratedSpec = {
  type: 'AI_AGENT',
  subtype: 'GOOGLE_GEMINI',
  nodes: [AGENT, MODEL],
  names: false,
  description: 'An AI agent that uses Gemini from Google: it answers, calls the attached tools and remembers.',
  configurations: {
    model_version: {
      type: 'string',
      description: 'Google model name with the prefix models/; get_node_options lists the models of an account',
      required: true,
      default: 'models/gemini-2.5-flash',
      validationPattern: '^models/.+',
      at: 'Google Gemini Chat Model: modelName',
    },
    ...agentConfigurations,
    temperature: {
      type: 'float',
      description: 'Randomness of the wording',
      default: 0.4,
      min: 0,
      max: 2,
      at: 'Google Gemini Chat Model: options.temperature',
    },
    max_tokens: {
      type: 'integer',
      description: 'Maximum length of the answer in tokens',
      default: 2048,
      min: 1,
      at: 'Google Gemini Chat Model: options.maxOutputTokens',
    },
  },
  inputParams: agentInput,
  outputParams: agentOutput,
  inputPorts: agentInputPorts,
  outputPorts: agentOutputPorts,
  tags: ['ai', 'llm', 'google', 'gemini', 'chat', 'agent'],
  attachedNodes: agentAttachments,
  examples: [
    {
      name: 'Translate customer messages',
      description: 'Into English, without comments.',
      configurations: {
        model_version: 'models/gemini-2.5-flash',
        system_prompt: 'Translate into English. Answer with the translation only.',
        prompt: '={{ $json.body.message }}',
        temperature: 0,
      },
      input: { body: { message: 'Wo ist meine Bestellung?' } },
      output: { output: 'Where is my order?' },
    },
  ],
  guidance: agentGuidance('googlePalmApi'),
  fragment: (catalogue) =>
    agentWith(catalogue, {
      type: MODEL,
      name: 'Google Gemini Chat Model',
      parameters: {
        modelName: 'models/gemini-2.5-flash',
        options: { temperature: 0.4, maxOutputTokens: 2048 },
      },
    }),
};
