import type { NodeDescription, Property } from '../description.ts';
import { inToolCategory } from './tool-category.ts';

/** At startup n8n generates a tool from every node with `usableAsTool`. The packages lack these tools. */
export function toolVariant(node: NodeDescription): NodeDescription | undefined {
  const { usableAsTool } = node;
  if (!usableAsTool) return undefined;
  const { replacements } = Object(usableAsTool) as { replacements?: Partial<NodeDescription> };
  const { usableAsTool: _, ...base } = { ...node, ...replacements };
  return {
    ...base,
    name: `${base.name}Tool`,
    displayName: `${base.displayName} Tool`,
    inputs: [],
    outputs: ['ai_tool'],
    properties: withDescription(base.properties, base.description ?? ''),
    codex: inToolCategory(base.codex, base.codex?.subcategories?.Tools ?? ['Other Tools']),
  };
}

/** Adds the description for the model: generated from resource and operation, or written by the user. */
function withDescription(properties: readonly Property[], description: string): readonly Property[] {
  if (properties.some(({ name }) => name === 'toolDescription')) return properties;
  const hasOperations = properties.some(({ name }) => name === 'resource' || name === 'operation');
  const own: Property = {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'string',
    default: description,
    required: true,
    typeOptions: { rows: 2 },
    description: 'What this tool does, for the model that decides when to use it',
    ...(hasOperations && { displayOptions: { show: { descriptionType: ['manual'] } } }),
  };
  const place = properties.findLastIndex(({ type }) => type === 'callout') + 1;
  return properties.toSpliced(place, 0, ...(hasOperations ? [descriptionType, own] : [own]));
}

const descriptionType: Property = {
  displayName: 'Tool Description',
  name: 'descriptionType',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Set Automatically', value: 'auto', description: 'Made from the resource and the operation' },
    { name: 'Set Manually', value: 'manual', description: 'Written by hand' },
  ],
  default: 'auto',
};
