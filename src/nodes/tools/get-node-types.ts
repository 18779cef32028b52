import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { allSubtypes, commonSubtypes } from '../taxonomy/subtypes.ts';
import { nodeTypes } from '../taxonomy/taxonomy.ts';
import { instanceInput, nodesTool, typeFilter } from '../tool.ts';

export const getNodeTypes = nodesTool({
  name: 'get_node_types',
  title: 'Get node types',
  description:
    'Lists the eight types of workflow nodes and their subtypes. Without type_filter: the common ones, or all if a type is small. With it: every node of that type. To find a node by what it does use search_nodes; get_node_details shows how to use one. HUMAN_IN_THE_LOOP asks a person and branches into confirmed, rejected, unrelated and timeout: insert the whole fragment from get_node_details. Add no IF or AI_AGENT for that.',
  effect: 'read',
  phrases:
    'what kinds of nodes are there; categories of nodes; all types and subtypes of nodes; overview of the building blocks; list all triggers; list all nodes of one type; node taxonomy; which groups of nodes exist; human in the loop nodes; list of node categories; what sorts of nodes does n8n have; which triggers exist; show me all ai nodes; browse nodes by category; groups of actions; what node families are there; how are nodes grouped; complete list of action nodes; all logic nodes; which ai building blocks exist; what can workflows be made of; types of steps; give me the list of trigger nodes; categories; what families of building blocks are there; what can a workflow be built from; node groups; list the types of nodes; which kinds of steps can i use; subtypes',
  tags: ['nodes', 'workflow', 'specifications'],
  guidance:
    'WRONG: a send-and-wait node followed by an AI_AGENT and an IF. RIGHT: the whole fragment of HUMAN_IN_THE_LOOP.<X>_INTERACTION. The n8n node sends, waits and has a single output; the other nodes of the fragment create the four branches. TRIGGER starts a workflow. FLOW routes items. ACTION works inside n8n and over HTTP. EXTERNAL_ACTION acts on a service. AI_AGENT covers agents, chains, models and parsers. TOOL and MEMORY attach to an agent.',
  input: z.strictObject({
    type_filter: typeFilter.describe('Every subtype of this type only'),
    contains: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Only subtypes with this in their name, e.g. GOOGLE'),
    instance: instanceInput,
  }),
  output: z.record(z.string(), z.array(z.string())).describe('Subtypes by type'),
  examples: [
    { title: 'The common subtypes', arguments: {} },
    { title: 'Everything that can start a workflow', arguments: { type_filter: 'TRIGGER' } },
    { title: 'Everything of Google', arguments: { contains: 'GOOGLE' } },
  ],
  async run({ type_filter, contains, instance }, { catalogues }) {
    const nodes = catalogues.get(instance).nodes();
    if (type_filter === undefined && contains === undefined) return commonSubtypes(nodes);
    // Only separators become underscores. Other characters occur in no name, so they must keep the filter from matching.
    const wanted = contains?.toUpperCase().replace(/[\s.-]+/g, '_') ?? '';
    const all = allSubtypes(nodes);
    const found = Object.fromEntries(
      (type_filter === undefined ? nodeTypes : [type_filter])
        .map((type) => [type, all[type].filter((subtype) => subtype.includes(wanted))] as const)
        .filter(([, subtypes]) => subtypes.length > 0),
    );
    if (Object.keys(found).length === 0) {
      throw new AppError(
        'not_found',
        `No subtype has "${contains ?? ''}" in its name. search_nodes finds nodes by what they do.`,
      );
    }
    return found;
  },
});
