import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { instanceInput, name, nodesTool, thing } from '../tool.ts';

const NAME = 'get_node_property';

export const getNodeProperty = nodesTool({
  name: NAME,
  title: 'Find parameters of a node',
  description:
    'Finds parameters inside one node by path or by words in their names, descriptions and options, nested ones included: path, type, default, options, and when each is shown. For all of them: get_node_details with detail full.',
  effect: 'read',
  phrases:
    'find a parameter inside a node; search the settings of a node; where is the option in this node; what is the parameter called; path of a nested parameter; which field of the node controls this; does the node have an option for something; default value of a parameter; how is the field for this named; where do i set the timeout in a node; which parameter sets the header; search parameters by word; find a hidden setting of a node; look up one parameter; options of one parameter of a node; is there something in the node to ignore ssl errors; name of the batch size parameter; which switch in the node turns this on; how is the retry option called; is this setting available in the node; what values does this parameter of the node accept; find option by keyword; which field of the node sets this; look inside a node for a word; where can i switch this on in the node; name of an option in a node; parameter that controls the limit; how do i set a header in this node; deep parameter lookup',
  tags: ['nodes', 'parameters'],
  input: z.strictObject({
    node: name.describe('n8n-nodes-base.httpRequest, or TYPE.SUBTYPE'),
    query: name.describe('Words like "header name", or a path: rule.interval[].expression'),
    version: z.number().positive().optional().describe('typeVersion; default: latest'),
    limit: z.int().min(1).max(100).optional().describe('Default: what fits 8 KB'),
    cursor: z.string().optional().describe('From the last reply'),
    instance: instanceInput,
  }),
  output: z.looseObject({
    node: z.string(),
    version: z.number(),
    total: z.number(),
    parameters: z
      .array(thing)
      .describe('path ([] marks a list), title, type, default, options, form, shown_when (any of these)'),
    hint: z.string().optional(),
    warning: z.string().optional(),
    cursor: z.string().optional(),
  }),
  examples: [
    { title: 'How to set a timeout', arguments: { node: 'n8n-nodes-base.httpRequest', query: 'timeout' } },
    { title: 'Within a subtype', arguments: { node: 'EXTERNAL_ACTION.SLACK', query: 'thread reply' } },
  ],
  async run({ node: named, query, version: wanted, limit, cursor, instance }, { catalogues }) {
    const catalogue = catalogues.get(instance);
    const [{ nodeMeant }, { searchProperties }] = await Promise.all([
      import('../lookup/node-meant.ts'),
      import('../details/property-search.ts'),
    ]);
    const { node, version, description, warning } = nodeMeant(catalogue, named, wanted);
    const asked = { node: node.name, version, query, builtAt: catalogue.origin.builtAt };
    const { skip: from } = placeIn(NAME, asked, cursor);
    const all = searchProperties(description, version, query);
    const rest = all.slice(from);
    const parameters = rest.slice(0, limit ?? fittingItems(rest, { asked }));
    const next = from + parameters.length;
    return {
      node: node.name,
      version,
      total: all.length,
      parameters,
      ...(all.length === 0 && {
        hint: 'No match. Try a single word, or get_node_details with detail full, which shows every parameter.',
      }),
      ...(warning !== undefined && { warning }),
      ...(next < all.length && { cursor: cursorFor(NAME, asked, { skip: next }) }),
    };
  },
});
