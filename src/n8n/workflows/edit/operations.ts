import { z } from 'zod';
import { itemsInput } from '../../items.ts';
import { nodeInput, nodeName, nodeOptions, positionInput } from '../node-input.ts';
import { settingsInput } from '../settings.ts';

const node = z.string().describe('Name of the node');
const path = z.string().min(1).max(500).describe('Path in the parameters: url, options.timeout, rules[0].value');
const kind = z.string().describe('Default: main. For sub-nodes ai_tool, ai_languageModel, ai_memory, …');
const index = z.int().min(0).max(100);
const credentialType = z.string().min(1).describe('Credential type, like httpHeaderAuth');
const tags = z.array(z.string().min(1).max(24)).min(1).max(50).describe('Names of tags');

/** One small change to a workflow. */
export const operation = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('add_node'),
    node: nodeInput.describe('The node itself'),
    after: z.string().optional().describe('Connect and place it after this node'),
  }),
  z.strictObject({
    op: z.literal('remove_node'),
    node,
    reconnect: z.boolean().optional().describe('Connect its predecessor to its successor'),
  }),
  z.strictObject({ op: z.literal('rename_node'), node, to: nodeName.describe('Its new name') }),
  z.strictObject({ op: z.literal('move_node'), node, position: positionInput.describe('[x, y]') }),
  z.strictObject({ op: z.literal('enable_node'), node }),
  z.strictObject({ op: z.literal('disable_node'), node }),
  z.strictObject({
    op: z.literal('set_node'),
    node,
    // The pipe hides nodeOptions from the JSON schema, which already has them in add_node, but still checks them.
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
    find: z.string().min(1).describe('Must occur exactly once, unless all is true'),
    replace: z.string().describe('The new text'),
    all: z.boolean().optional().describe('Replace every occurrence'),
  }),
  z.strictObject({
    op: z.literal('set_credential'),
    node,
    type: credentialType,
    id: z.string().min(1).describe('Id of the credential'),
    name: z.string().optional().describe('Its name. Default: looked up'),
  }),
  z.strictObject({ op: z.literal('remove_credential'), node, type: credentialType }),
  z.strictObject({
    op: z.literal('replace_credential'),
    from: z.string().min(1).describe('Id of the credential in use'),
    id: z.string().min(1).describe('Id of another of the same type'),
    name: z.string().optional().describe('Its name. Default: looked up'),
  }),
  z.strictObject({
    op: z.literal('connect'),
    from: node,
    to: node,
    kind: kind.optional(),
    output: index.optional().describe('Default: 0'),
    input: index.optional().describe('Default: 0'),
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
  z.strictObject({ op: z.literal('set_name'), name: z.string().min(1).max(128).describe('New name') }),
  z.strictObject({ op: z.literal('set_description'), description: z.string().max(5000).describe('New text') }),
  z.strictObject({
    op: z.literal('pin_data'),
    node,
    items: itemsInput.nullable().describe('What the node returns in manual runs: [{ "id": 1 }]; null unpins'),
  }),
  z.strictObject({
    op: z.literal('add_tags'),
    tags,
    create: z.boolean().optional().describe('Create the tags that do not exist'),
  }),
  z.strictObject({ op: z.literal('remove_tags'), tags }),
  z.strictObject({
    op: z.literal('set_tags'),
    tags: z.array(z.string().min(1).max(24)).max(50).describe('Names of all its tags afterwards'),
    create: z.boolean().optional().describe('Create the tags that do not exist'),
  }),
]);

export type Operation = z.output<typeof operation>;
