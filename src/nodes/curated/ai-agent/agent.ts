import type { Catalogue } from '../../catalogue.ts';
import { connected, type Fragment, fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { Configuration, CuratedSpec, PortSpec } from '../spec.ts';

export const AGENT = '@n8n/n8n-nodes-langchain.agent';

/** What every agent has in common, whichever model it thinks with. */
export const agentConfigurations: Readonly<Record<string, Configuration>> = {
  prompt: {
    type: 'string',
    description: 'What the agent is asked; an expression takes it from the item',
    required: true,
    default: '={{ $json.chatInput }}',
    at: 'AI Agent: text',
  },
  system_prompt: {
    type: 'string',
    description: 'Who the agent is and what it must keep to',
    default: 'You are a helpful assistant.',
    at: 'AI Agent: options.systemMessage',
  },
  max_iterations: {
    type: 'integer',
    description: 'How often it may think and use tools before it has to answer',
    default: 10,
    min: 1,
    at: 'AI Agent: options.maxIterations',
  },
  structured_output: {
    type: 'boolean',
    description: 'Answer in a given shape: then an output parser has to be attached (ai_outputParser)',
    default: false,
    at: 'AI Agent: hasOutputParser',
  },
};

export const agentInput: CuratedSpec['inputParams'] = {
  chatInput: { type: 'string', description: 'The message to the agent', required: true, default: '' },
  sessionId: { type: 'string', description: 'Which conversation it belongs to, where a memory is attached' },
};

export const agentOutput: CuratedSpec['outputParams'] = {
  output: { type: 'any', description: 'The answer: a text, or an object with structured_output' },
  intermediateSteps: {
    type: 'array',
    description: 'Which tools were used, where options.returnIntermediateSteps is on',
  },
};

export const agentInputPorts: readonly PortSpec[] = [
  itemsIn('AI Agent', 'One answer is given for each item'),
  port('ai_languageModel', true, 'The model; comes with the fragment', 1),
  port('ai_memory', false, 'What was said before: MEMORY.CONVERSATION_BUFFER', 1),
  port('ai_tool', false, 'What it may use: any TOOL, as many as you like'),
  port('ai_outputParser', false, 'The shape of the answer, with structured_output only', 1),
];

export const agentOutputPorts: readonly PortSpec[] = [
  itemsOut('AI Agent', 'The answer, one item for each that came in'),
];

export const agentAttachments = [
  'MEMORY.CONVERSATION_BUFFER',
  'MEMORY.VECTOR_DATABASE',
  'TOOL.NOTION_MCP_TOOL',
  'TOOL.GOOGLE_CALENDAR_MCP_TOOL',
  'TOOL.SLACK_MCP_TOOL',
  'TOOL.FIRECRAWL_MCP_TOOL',
  'TOOL.DISCORD_MCP_TOOL',
  'TOOL.TOOL_CALCULATOR',
  'TOOL.TOOL_CODE',
  'TOOL.TOOL_WORKFLOW',
  'TOOL.HTTP_REQUEST_TOOL',
  'TOOL.MCP_CLIENT_TOOL',
];

/** An agent that thinks with this model: neither works without the other. */
export function agentWith(
  catalogue: Catalogue,
  model: { type: string; name: string; parameters: Record<string, unknown> },
): Fragment {
  return {
    nodes: [
      fragmentNode(catalogue, AGENT, {
        name: 'AI Agent',
        parameters: {
          promptType: 'define',
          text: '={{ $json.chatInput }}',
          hasOutputParser: false,
          options: { systemMessage: 'You are a helpful assistant.', maxIterations: 10 },
        },
      }),
      fragmentNode(catalogue, model.type, { name: model.name, parameters: model.parameters, position: [-40, 220] }),
    ],
    connections: connected({ from: model.name, to: 'AI Agent', type: 'ai_languageModel' }),
  };
}

export const agentGuidance = (credential: string): string =>
  `Insert both nodes: an agent without a model publishes and then fails. The model needs a credential of type ${credential}. The prompt reads $json.chatInput, which a chat trigger gives; after any other node set it to the field that holds the question. Attach tools and a memory by connections from them to the agent (ai_tool, ai_memory).`;

function port(type: string, required: boolean, description: string, maxConnections?: number): PortSpec {
  return {
    name: type,
    type,
    required,
    description,
    ...(maxConnections !== undefined && { maxConnections }),
    node: 'AI Agent',
    index: 0,
  };
}
