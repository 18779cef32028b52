import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { NodeSummary } from '../../nodes/catalogue.ts';
import { nodeTypes } from '../../nodes/taxonomy/taxonomy.ts';
import { n8nTool } from '../tool.ts';

const NAME = 'n8n_list_node_types';

export const listNodeTypes = n8nTool({
  name: NAME,
  title: 'List node types',
  description:
    'Lists the node types that an n8n has: name, title, version, what each is. Filter by words in the name, type, package, or whether an agent can use it as a tool. search_nodes finds nodes by meaning; get_node_details says how to use one.',
  effect: 'read',
  phrases:
    'which nodes does this n8n have; installed nodes; community nodes; node packages that are installed; all nodes of my instance; nodes that can be used as a tool by an agent; is a node available here; nodes of a package; nodes installed on my server; which node packages are there; list of all available nodes in this instance; is the community package installed; which version of a node does my n8n have; custom nodes; which nodes can be agent tools; which third party nodes does this server have; does my n8n ship this node; what is installed on this n8n; nodes delivered with my version; are the ai nodes there; list packages; nodes available on our server; is this node supported by our instance; what node packages came with this installation; nodes on this machine; all node types; nodes in a package; community packages; which nodes can i use here; is a certain node present; list of node names; nodes usable as tools',
  tags: ['nodes'],
  input: {
    search: z.string().min(1).max(200).optional().describe('Words that must all be in name, title or description'),
    type: z.enum(nodeTypes).optional().describe('One of the eight types'),
    package: z.string().min(1).max(200).optional().describe('Only this package, like n8n-nodes-base'),
    usable_as_tool: z.boolean().optional().describe('Whether an agent can use it as a tool'),
    limit: z.int().min(1).max(200).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same filters'),
  },
  output: z.object({
    total: z.number(),
    node_types: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        type: z.string(),
        subtype: z.string(),
        version: z.number().describe('Latest version'),
        trigger: z.boolean().optional(),
        usable_as_tool: z.boolean().optional(),
        community: z.boolean().optional(),
        deprecated: z.boolean().optional().describe('Kept for old workflows'),
        description: z.string(),
      }),
    ),
    n8n: z.string().describe('The n8n version they belong to'),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [
    { title: 'The triggers', arguments: { type: 'TRIGGER' } },
    { title: 'By words', arguments: { search: 'google sheets' } },
  ],
  async run({ limit, cursor, ...filter }, { client: { name }, catalogues }) {
    const { origin, nodes } = await catalogues.ready(name);
    const asked = { instance: name, builtAt: origin.builtAt, ...filter };
    const { skip } = placeIn(NAME, asked, cursor);
    const all = nodes().filter(fitting(filter));
    const rest = all.slice(skip, skip + (limit ?? 200)).map(listed);
    const node_types = rest.slice(0, limit ?? fittingItems(rest));
    const next = skip + node_types.length;
    return {
      total: all.length,
      node_types,
      n8n: origin.n8n,
      ...(next < all.length && { cursor: cursorFor(NAME, asked, { skip: next }) }),
    };
  },
});

interface Filter {
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly package?: string | undefined;
  readonly usable_as_tool?: boolean | undefined;
}

function fitting({ search = '', type, package: from, usable_as_tool: asTool }: Filter): (node: NodeSummary) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (node) => {
    const text = words.length === 0 ? '' : `${node.name} ${node.title} ${node.description}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (type === undefined || node.type === type) &&
      (from === undefined || node.package === from) &&
      (asTool === undefined || (node.usableAsTool || node.type === 'TOOL') === asTool)
    );
  };
}

function listed(node: NodeSummary) {
  const { name, title, type, subtype, latest, description } = node;
  return {
    name,
    title,
    type,
    subtype,
    version: latest,
    ...(node.trigger && { trigger: true }),
    ...(node.usableAsTool && { usable_as_tool: true }),
    ...(node.community && { community: true }),
    ...((node.deprecated || node.hidden) && { deprecated: true }),
    description: description.length > 120 ? `${description.slice(0, 119)}…` : description,
  };
}
