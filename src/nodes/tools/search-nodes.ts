import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type * as Search from '../search/search.ts';
import { instanceInput, nodesTool, thing, typeFilter } from '../tool.ts';

const NAME = 'search_nodes';
const SHOWN = 10;
const MOST = 100;
/** Longer descriptions are cut; get_node_details has the full text. */
const DESCRIPTION = 160;

/** Loaded on first use, because it brings in all search phrases. */
let loaded: typeof Search | undefined;

export const searchNodes = nodesTool({
  name: NAME,
  title: 'Search nodes',
  description:
    'Finds the nodes of n8n for a task in plain words, such as "send a message to a Slack channel" or "run every morning". Best match first, with its name in n8n, type and subtype. Then get_node_details shows how to use one.',
  effect: 'read',
  phrases:
    'find a node for a task; which node do i need; which node can send a message; is there a node for this service; node that does something; what node reads a file; look for an integration; recommend a node; search the node catalogue; which building block should i use; does n8n support this app; what node should i use to do this; how can n8n talk to this service; node to filter or transform data; something that sends an email; which node parses or converts; find nodes by description; is there an integration for this app; which trigger starts on a new file or message; node for a database; anything for reading excel sheets; what should i use to compress files; node to split a list into items; i want to send a text message, what node; how do i get data from a database in n8n; what is there for pdf; which node waits for approval; node that merges data; tool for scraping a website; how do i schedule something; node to call an api; i want to do something, with what node; which component talks to a service; what can i use for that; is there something in n8n for this; find an action; how would i convert a file in n8n; what node handles images; suggest nodes for my idea; which app nodes are there for a topic; a node to resize or encrypt; nodes about a subject; look up a node by what it does',
  tags: ['nodes', 'search'],
  guidance:
    'Ask for one step at a time ("when a row is added to a sheet", then "send an email"), in the words of the task. Say "when …" or "every …" for a trigger, and "tool for an agent" for a tool of an AI agent. The first hit is usually right. If the first few are equally good, choose the app that the user has.',
  input: z.strictObject({
    query: z.string().max(1000).describe('What the node should do, or part of its name'),
    type_filter: typeFilter.describe('Only nodes of this type'),
    limit: z.int().min(1).max(MOST).default(SHOWN).describe('At most this many'),
    cursor: z.string().optional().describe('From the last reply'),
    include_tools: z.boolean().optional().describe('Include AI agent variants; default: if the query asks for a tool'),
    instance: instanceInput,
  }),
  output: z.looseObject({
    nodes: z
      .array(thing)
      .describe(
        'name (as n8n spells it), title, type, subtype, description, score (0 to 1, within this answer); deprecated, community if true',
      ),
    total: z.number(),
    how: z.enum(['lexical', 'fused']).describe('By words, or by words and meaning'),
    hint: z.string().optional(),
    cursor: z.string().optional(),
  }),
  examples: [
    { title: 'A step in plain words', arguments: { query: 'send a message to a Slack channel' } },
    { title: 'Something that starts a workflow', arguments: { query: 'every morning', type_filter: 'TRIGGER' } },
    { title: 'For an AI agent', arguments: { query: 'look up rows in Postgres', include_tools: true, limit: 5 } },
  ],
  async run(
    { query, type_filter, limit, cursor, include_tools, instance },
    { catalogues, meaning, asked: counted },
    { signal },
  ) {
    const catalogue = catalogues.get(instance);
    const { n8n, builtAt } = catalogue.origin;
    const asked = { query: query.slice(0, 600), type_filter, include_tools, n8n, builtAt };
    const { skip } = placeIn(NAME, asked, cursor);
    loaded ??= await import('../search/search.ts');
    const { how, hits } = await loaded.searchNodes(catalogue, query, {
      signal,
      ...(type_filter && { type: type_filter }),
      ...(include_tools !== undefined && { tools: include_tools }),
      ...(meaning && { meaning }),
    });
    // The first hit of a search is what somebody asked for; the others are guesses.
    const [best] = skip === 0 ? hits : [];
    if (best) counted?.note([best.node.name]);
    const page = hits.slice(skip, skip + limit).map(({ node, score }) => ({
      name: node.name,
      title: node.title,
      type: node.type,
      subtype: node.subtype,
      description: short(node.description),
      score,
      ...((node.hidden || node.deprecated) && { deprecated: true }),
      ...(node.community && { community: true }),
    }));
    // A caller who sets a high limit gets that many. By default the reply stays short.
    const nodes = limit > SHOWN ? page : page.slice(0, fittingItems(page));
    const next = skip + nodes.length;
    return {
      nodes,
      total: hits.length,
      how,
      ...(hits.length === 0 && {
        hint: 'No match. Describe the step in other words, or see get_node_types for all nodes.',
      }),
      ...(next < hits.length && nodes.length > 0 && { cursor: cursorFor(NAME, asked, { skip: next }) }),
    };
  },
});

const short = (text: string) => (text.length > DESCRIPTION ? `${text.slice(0, DESCRIPTION - 1)}…` : text);
