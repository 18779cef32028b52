import type { Catalogue } from '../../catalogue.ts';
import { connected, type Fragment, fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { Configuration, CuratedSpec, PortSpec } from '../spec.ts';

export const AGENT = '@n8n/n8n-nodes-langchain.agent';

/** What all agents share, whichever model they use. */
export const agentConfigurations: Readonly<Record<string, Configuration>> = {
  prompt: {
    type: 'string',
    description: 'The prompt; use an expression to read it from the item',
    required: true,
    default: '={{ $json.chatInput }}',
    at: 'AI Agent: text',
  },
  system_prompt: {
    type: 'string',
    description: 'Role and rules of the agent',
    default: 'You are a helpful assistant.',
    at: 'AI Agent: options.systemMessage',
  },
  max_iterations: {
    type: 'integer',
    description: 'Maximum rounds of thinking and tool calls before it must answer',
    default: 10,
    min: 1,
    at: 'AI Agent: options.maxIterations',
  },
  structured_output: {
    type: 'boolean',
    description: 'Answer in a given format; requires an attached output parser (ai_outputParser)',
    default: false,
    at: 'AI Agent: hasOutputParser',
  },
};

export const agentInput: CuratedSpec['inputParams'] = {
  chatInput: { type: 'string', description: 'The message to the agent', required: true, default: '' },
  sessionId: { type: 'string', description: 'Id of the conversation, if a memory is attached' },
};

export const agentOutput: CuratedSpec['outputParams'] = {
  output: { type: 'any', description: 'The answer: text, or an object with structured_output' },
  intermediateSteps: {
    type: 'array',
    description: 'The tool calls, if options.returnIntermediateSteps is on',
  },
};

export const agentInputPorts: readonly PortSpec[] = [
  itemsIn('AI Agent', 'The agent answers once for each item'),
  port('ai_languageModel', true, 'The model; included in the fragment', 1),
  port('ai_memory', false, 'Chat history: MEMORY.CONVERSATION_BUFFER', 1),
  port('ai_tool', false, 'Tools it may call: any number of TOOL nodes'),
  port('ai_outputParser', false, 'Format of the answer, only with structured_output', 1),
];

export const agentOutputPorts: readonly PortSpec[] = [itemsOut('AI Agent', 'One answer for each input item')];

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

/** An agent with its model: neither works without the other. */
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
  `Insert both nodes: n8n publishes an agent without a model, but it fails when it runs. The model needs a credential of type ${credential}. The prompt reads $json.chatInput from a chat trigger; after any other node, set it to the field with the question. To attach tools and a memory, connect them to the agent (ai_tool, ai_memory).`;

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
