import type { NodeDescription, Port, Property } from '../description.ts';
import { inToolCategory } from './tool-category.ts';

const SEND_AND_WAIT = 'sendAndWait';

/** If a node can ask a person and wait, n8n generates a variant that lets a person approve an agent's tool calls. */
export function reviewVariant(node: NodeDescription): NodeDescription | undefined {
  if (node.name.endsWith('Tool') || !node.webhooks?.length) return undefined;
  const asking = node.properties.filter(asksAndWaits);
  if (asking.length === 0) return undefined;
  const resource = asking
    .map(({ displayOptions }) => displayOptions?.show?.resource?.[0])
    .find((one) => one !== undefined);
  return {
    ...node,
    name: `${node.name}HitlTool`,
    description: 'Asks a person to allow a tool call of an agent, and waits for the answer',
    defaults: { ...node.defaults, name: node.displayName },
    inputs: [{ displayName: 'Tool', type: 'ai_tool', required: true }],
    outputs: [reviewed],
    properties: [message, ...node.properties.flatMap((property) => settled(property, resource))],
    codex: inToolCategory(node.codex, ['Human in the Loop']),
  };
}

export const asksAndWaits = ({ name, options }: Property): boolean =>
  name === 'operation' &&
  Array.isArray(options) &&
  options.some((option) => 'value' in option && option.value === SEND_AND_WAIT);

const reviewed: Port = {
  displayName: 'Human review',
  type: 'ai_tool',
  filter: { nodes: ['@n8n/n8n-nodes-langchain.agent', '@n8n/n8n-nodes-langchain.agentTool'] },
};

const message: Property = {
  displayName: 'Message',
  name: 'message',
  type: 'string',
  default: '=An agent asks to use {{ $tool.name }} with:\n\n{{ $tool.parameters }}',
  required: true,
  typeOptions: { rows: 3 },
  description: 'What the person is asked. $tool.name and $tool.parameters say which call it is about.',
};

/** Hides parameters with a fixed value, and drops the original message, which is now at the top. */
function settled(property: Property, resource: unknown): Property[] {
  switch (property.name) {
    case 'message':
      return [];
    case 'resource':
      return resource === undefined ? [] : [hidden('Resource', 'resource', resource)];
    case 'operation':
      return [hidden('Operation', 'operation', SEND_AND_WAIT)];
    case 'responseType':
      return [hidden('Response Type', 'responseType', 'approval')];
    default:
      return [property];
  }
}

const hidden = (displayName: string, name: string, value: unknown): Property => ({
  displayName,
  name,
  type: 'hidden',
  default: value,
});
