import { z } from 'zod';
import { Written } from '../../kernel/tool.ts';
import type * as Details from '../details/details.ts';
import { instanceInput, name, nodesTool, thing } from '../tool.ts';

/** More than anybody reads: a list of everything is what search is for. */
const MOST = 50;

/** With the words we wrote for the subtypes: not needed to serve. An import costs more than an answer, even repeated. */
let loaded: typeof Details | undefined;

const version = z.number().positive();

const asked = z.strictObject({
  node_type: name.optional().describe('Such as EXTERNAL_ACTION'),
  subtype: name.optional().describe('Such as SLACK'),
  node: name.optional().describe('Instead: n8n-nodes-base.slack'),
  resource: name.optional(),
  operation: name.optional(),
  version: version.optional(),
});

/** What clients are told of it; what is checked is details/node-spec.ts. */
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
    'Shows how to use nodes of n8n: parameters, ports, credentials, examples, and under n8n.fragment the nodes and connections to put into a workflow as they stand. One node or several. "resource" and "operation" pick the parameters shown; "cursor" goes on. To find nodes: search_nodes, get_node_types.',
  effect: 'read',
  phrases:
    'how do i use a node; how do i configure a node; parameters of a node; documentation of a node; example of a node to paste; what settings does a node have; what does a node take and give; explain a node type; template or fragment for a node; reference of a node type; which operations does a node offer; inputs and outputs of a node; how does this node work; what can a node do; show me the fields of the node; ready made configuration of a node; help for a node; json for a node; what credentials and parameters does a node take; full description of a node; show usage examples of a node; teach me a node; exact parameters for an operation; i need the json of the node; how do i fill in this node; show a sample of the node; manual for one operation of a node; set up this node; what is the syntax of this node; which resource and operation do i pick; tell me everything about a node; how to fill the fields of a step; set up instructions for a node; what does this node do; input format of a node; node reference; give me a working configuration; how to use an operation of a node; which fields are required in the node',
  tags: ['nodes', 'specifications', 'details'],
  guidance:
    'Find nodes with search_nodes, then ask for the details of those you use, with resource and operation where a node has them. Copy n8n.fragment and change its parameters. HUMAN_IN_THE_LOOP: n8n sends and waits with one output, so insert the whole fragment, whose further nodes make the branches confirmed, rejected, unrelated and timeout; do not add IF or AI_AGENT nodes of your own for that. detail "full" shows every parameter with the conditions under which it is there; get_node_property finds one.',
  input: z.strictObject({
    nodes: z
      .array(z.union([asked, name]))
      .min(1)
      .max(MOST, `${MOST} nodes at most in one call: ask for the others in further calls, or use search_nodes`)
      .describe('By node_type and subtype, or by the name in n8n'),
    include_examples: z.boolean().default(true).describe('With examples'),
    include_schemas: z.boolean().default(true).describe('With what goes in and what comes out'),
    detail: z
      .enum(['essentials', 'full'])
      .default('essentials')
      .describe('full: every parameter, nested and conditional'),
    resource: name.optional().describe('Such as message'),
    operation: name.optional().describe('Such as post'),
    version: version.optional().describe('typeVersion; the latest unless told'),
    max_kb: z.int().min(8).max(4096).optional().describe('A longer reply, instead of a cursor; 4096 holds everything'),
    cursor: z.string().optional().describe('Of the answer before'),
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
  async run({ nodes, cursor, instance, max_kb, ...wanted }, { catalogues }) {
    const catalogue = catalogues.get(instance);
    loaded ??= await import('../details/details.ts');
    const each = nodes.map((one) => (typeof one === 'string' ? { node: one } : one));
    const { json, quoted } = loaded.tellDetails(catalogue, { ...wanted, nodes: each }, cursor, max_kb);
    return new Written(json, `"${quoted}"`);
  },
});
