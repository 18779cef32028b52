import { z } from 'zod';
import { Written } from '../../kernel/tool.ts';
import type * as Details from '../details/details.ts';
import { instanceInput, name, nodesTool, thing } from '../tool.ts';

/** Nobody reads more at once; search_nodes is the tool for long lists. */
const MOST = 50;

/**
 * Loaded on first use, because it brings in all curated texts. Kept in a variable: even a repeated import() costs more
 * than an answer.
 */
let loaded: typeof Details | undefined;

const version = z.number().positive();

const asked = z.strictObject({
  node_type: name.optional().describe('E.g. EXTERNAL_ACTION'),
  subtype: name.optional().describe('E.g. SLACK'),
  node: name.optional().describe('Instead: n8n-nodes-base.slack'),
  resource: name.optional(),
  operation: name.optional(),
  version: version.optional(),
});

/** The schema clients see. The full one, which every answer is checked against, is in details/node-spec.ts. */
const told = z.looseObject({
  node_type: z.string(),
  subtype: z.string(),
  parameters: z.array(thing).optional().describe('name, type, required, default_value, description, enum_values, form'),
  configurations: thing.optional().describe('Of a subtype: the same by name'),
  input_params_schema: thing.optional(),
  output_params_schema: thing.optional(),
  input_ports: z.array(thing).optional(),
  output_ports: z.array(thing).optional(),
  credentials: z.array(z.string()).optional(),
  n8n: thing.optional().describe('type, typeVersion, fragment: { nodes, connections } for a workflow'),
  parameters_left: z.number().optional(),
  hidden_parameters: z.number().optional().describe('Shown with other settings'),
  warning: z.string().optional(),
  error: z.string().optional(),
});

export const getNodeDetails = nodesTool({
  name: 'get_node_details',
  title: 'Get node details',
  description:
    'Shows how to use one or more n8n nodes: parameters, ports, credentials, examples. n8n.fragment has nodes and connections that go into a workflow unchanged. "resource" and "operation" select the parameters shown; "cursor" continues. To find nodes: search_nodes, get_node_types.',
  effect: 'read',
  phrases:
    'how do i use a node; how do i configure a node; parameters of a node; documentation of a node; example of a node to paste; what settings does a node have; what does a node take and give; explain a node type; template or fragment for a node; reference of a node type; which operations does a node offer; inputs and outputs of a node; how does this node work; what can a node do; show me the fields of the node; ready made configuration of a node; help for a node; json for a node; what credentials and parameters does a node take; full description of a node; show usage examples of a node; teach me a node; exact parameters for an operation; i need the json of the node; how do i fill in this node; show a sample of the node; manual for one operation of a node; set up this node; what is the syntax of this node; which resource and operation do i pick; tell me everything about a node; how to fill the fields of a step; set up instructions for a node; what does this node do; input format of a node; node reference; give me a working configuration; how to use an operation of a node; which fields are required in the node',
  tags: ['nodes', 'specifications', 'details'],
  guidance:
    'Find nodes with search_nodes, then ask for the details of those you use. Give resource and operation if a node has them. Copy n8n.fragment and change its parameters. HUMAN_IN_THE_LOOP: the n8n node sends, waits and has a single output. Insert the whole fragment: its other nodes create the branches confirmed, rejected, unrelated and timeout. Do not add your own IF or AI_AGENT nodes for that. detail "full" shows every parameter and when it applies; get_node_property finds a single one.',
  input: z.strictObject({
    nodes: z
      .array(z.union([asked, name]))
      .min(1)
      .max(MOST, `at most ${MOST} nodes per call: ask for the rest in more calls, or use search_nodes`)
      .describe('By node_type and subtype, or by the name in n8n'),
    include_examples: z.boolean().default(true).describe('With examples'),
    include_schemas: z.boolean().default(true).describe('With input and output schemas'),
    detail: z
      .enum(['essentials', 'full'])
      .default('essentials')
      .describe('full: every parameter, nested and conditional'),
    resource: name.optional().describe('E.g. message'),
    operation: name.optional().describe('E.g. post'),
    version: version.optional().describe('typeVersion; default: latest'),
    max_kb: z.int().min(8).max(4096).optional().describe('Allow a longer reply instead of a cursor; 4096 fits all'),
    cursor: z.string().optional().describe('From the last reply'),
    instance: instanceInput,
  }),
  output: z.looseObject({
    nodes: z.array(told),
    cursor: z.string().optional(),
  }),
  examples: [
    { title: 'A curated subtype', arguments: { nodes: [{ node_type: 'AI_AGENT', subtype: 'OPENAI_CHATGPT' }] } },
    {
      title: 'One operation of a node by its name in n8n',
      arguments: { nodes: [{ node: 'n8n-nodes-base.slack' }], resource: 'message', operation: 'post' },
    },
    {
      title: 'Several at once',
      arguments: {
        nodes: [
          { node_type: 'TRIGGER', subtype: 'WEBHOOK' },
          { node_type: 'EXTERNAL_ACTION', subtype: 'SLACK' },
        ],
        include_examples: false,
      },
    },
  ],
  async run({ nodes, cursor, instance, max_kb, ...wanted }, { catalogues, asked: counted }) {
    const catalogue = catalogues.get(instance);
    loaded ??= await import('../details/details.ts');
    const each = nodes.map((one) => (typeof one === 'string' ? { node: one } : one));
    if (cursor === undefined) counted?.note(loaded.namesMeant(catalogue, each));
    const { json, quoted } = loaded.tellDetails(catalogue, { ...wanted, nodes: each }, cursor, max_kb);
    return new Written(json, `"${quoted}"`);
  },
});
