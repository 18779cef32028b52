import { z } from 'zod';
import { itemsInput } from '../../items.ts';
import { nodeInput, nodeName, nodeOptions, positionInput } from '../node-input.ts';
import { settingsInput } from '../settings.ts';

const node = z.string().describe('Name of the node');
const path = z.string().min(1).max(500).describe('Within the parameters: url, options.timeout, rules[0].value');
const kind = z.string().describe('main unless told; ai_tool, ai_languageModel, ai_memory, … for sub-nodes');
const index = z.int().min(0).max(100);
const credentialType = z.string().min(1).describe('Credential type, such as httpHeaderAuth');
const tags = z.array(z.string().min(1).max(24)).min(1).max(50).describe('Names of tags');

/** One small change of a workflow. */
export const operation = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('add_node'),
    node: nodeInput.describe('the node itself'),
    after: z.string().optional().describe('Connect it behind this node, and place it there'),
  }),
  z.strictObject({
    op: z.literal('remove_node'),
    node,
    reconnect: z.boolean().optional().describe('Join what led to it with what followed it'),
  }),
  z.strictObject({ op: z.literal('rename_node'), node, to: nodeName.describe('Its new name') }),
  z.strictObject({ op: z.literal('move_node'), node, position: positionInput.describe('[x, y]') }),
  z.strictObject({ op: z.literal('enable_node'), node }),
  z.strictObject({ op: z.literal('disable_node'), node }),
  z.strictObject({
    op: z.literal('set_node'),
    node,
    // What each means stands with the node of add_node; it is checked all the same.
    set: z
      .record(z.string(), z.unknown())
      .pipe(z.strictObject(nodeOptions))
      .describe(`As in a node: ${Object.keys(nodeOptions).join(', ')}`),
  }),
  z.strictObject({ op: z.literal('set_parameter'), node, path, value: z.unknown().describe('Any JSON') }),
  z.strictObject({ op: z.literal('remove_parameter'), node, path }),
  z.strictObject({
    op: z.literal('replace_text'),
    node,
    path,
    find: z.string().min(1).describe('Occurs there exactly once, unless all is true'),
    replace: z.string().describe('What stands there afterwards'),
    all: z.boolean().optional().describe('Replace every occurrence'),
  }),
  z.strictObject({
    op: z.literal('set_credential'),
    node,
    type: credentialType,
    id: z.string().min(1).describe('Id of the credential'),
    name: z.string().optional().describe('Its name; looked up unless told'),
  }),
  z.strictObject({ op: z.literal('remove_credential'), node, type: credentialType }),
  z.strictObject({
    op: z.literal('replace_credential'),
    from: z.string().min(1).describe('Id of the credential in use'),
    id: z.string().min(1).describe('Id of another of the same type'),
    name: z.string().optional().describe('Its name; looked up unless told'),
  }),
  z.strictObject({
    op: z.literal('connect'),
    from: node,
    to: node,
    kind: kind.optional(),
    output: index.optional().describe('0 unless told'),
    input: index.optional().describe('0 unless told'),
  }),
  z.strictObject({
    op: z.literal('disconnect'),
    from: node,
    to: node,
    kind: kind.optional().describe('Only this kind'),
    output: index.optional().describe('Only this output'),
    input: index.optional().describe('Only this input'),
  }),
  z.strictObject({ op: z.literal('set_settings'), settings: settingsInput }),
  z.strictObject({ op: z.literal('set_name'), name: z.string().min(1).max(128).describe('Of the workflow') }),
  z.strictObject({ op: z.literal('set_description'), description: z.string().max(5000).describe('Of the workflow') }),
  z.strictObject({
    op: z.literal('pin_data'),
    node,
    items: itemsInput.nullable().describe('What the node gives in manual runs: [{ "id": 1 }]; null takes the pin away'),
  }),
  z.strictObject({
    op: z.literal('add_tags'),
    tags,
    create: z.boolean().optional().describe('Make the tags that do not exist'),
  }),
  z.strictObject({ op: z.literal('remove_tags'), tags }),
  z.strictObject({
    op: z.literal('set_tags'),
    tags: z.array(z.string().min(1).max(24)).max(50).describe('Names of all tags it is to have'),
    create: z.boolean().optional().describe('Make the tags that do not exist'),
  }),
]);

export type Operation = z.output<typeof operation>;
