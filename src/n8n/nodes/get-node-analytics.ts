import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { AskedNodes } from '../../nodes/asked/asked.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { scanWorkflows } from '../find/scan.ts';
import { catalogueNow } from '../templates/listed.ts';
import { line } from '../templates/text.ts';
import { n8nTool } from '../tool.ts';
import { countTypes, usesIn } from './node-use.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const MOST_DAYS = 400;
const SHOWN = 15;
const MOST = 100;
const LONGEST_TYPE = 80;
const nothing: Awaited<ReturnType<AskedNodes['since']>> = { asked: [] };
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

export const getNodeAnalytics = n8nTool({
  name: 'n8n_get_node_analytics',
  title: 'Get node analytics',
  description:
    'Shows which nodes callers of Sluice ask about most (get_node_details, and the first hit of search_nodes) and which nodes the workflows of an n8n use most. Names nodes that are asked about but not used, and the other way round.',
  effect: 'read',
  phrases:
    'which nodes are asked about most; most requested nodes; node analytics; popular nodes by interest; what do people look up about nodes; which nodes do assistants query; trend of node questions; nodes that are asked for but not used; compare interest in nodes with their use; statistics of node lookups; how often was a node looked up; demand for nodes; top nodes this month; which nodes should we write a guide for; unused nodes that people ask about; interest in integrations; what is everybody searching for in the node catalogue; analytics of node searches',
  tags: ['nodes', 'usage'],
  input: {
    days: z.int().min(1).max(MOST_DAYS).default(DAYS).describe('Questions of the last so many days, by UTC'),
    limit: z.int().min(1).max(MOST).default(SHOWN).describe('At most this many in each list'),
  },
  output: z.object({
    asked: z.array(
      z.object({ node: z.string(), title: z.string(), times: z.number(), last: z.string().describe('When') }),
    ),
    asked_total: z.number().describe('Different nodes'),
    used: z.array(
      z.object({
        node: z.string(),
        title: z.string(),
        workflows: z.number(),
        nodes_count: z.number(),
        live: z.number().describe('How many of these workflows are live'),
      }),
    ),
    used_total: z.number().describe('Different nodes'),
    asked_not_used: z.array(z.string()).optional(),
    used_not_asked: z.array(z.string()).optional(),
    since: z.string().describe('First day of the counted questions'),
    note: z.string().optional(),
  }),
  examples: [{ title: 'The last week', arguments: { days: 7 } }],
  async run({ days, limit }, { client, catalogues, asked: counted }, { signal }) {
    const from = Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
    const [{ asked, first }, workflows] = await Promise.all([
      counted?.since(from) ?? nothing,
      scanWorkflows(client, signal),
    ]);
    const counts = countTypes(
      workflows
        .filter(({ isArchived }) => !isArchived)
        .map((workflow) => ({ active: workflow.active, uses: usesIn(workflow, (type) => type !== STICKY_NOTE) })),
    );
    const titleOf = titles(catalogueNow(catalogues, client.name));
    const inUse = new Set(counts.map(({ type }) => type));
    const wanted = new Set(asked.map(({ node }) => node));
    const notUsed = asked.filter(({ node }) => !inUse.has(node)).map(({ node }) => node);
    const notAsked = counts.filter(({ type }) => !wanted.has(type)).map(({ type }) => type);
    const head = {
      asked_total: asked.length,
      used_total: counts.length,
      ...(notUsed.length > 0 && { asked_not_used: notUsed.slice(0, Math.min(limit, SHOWN)).map(told) }),
      ...(notAsked.length > 0 && { used_not_asked: notAsked.slice(0, Math.min(limit, SHOWN)).map(told) }),
      since: new Date(Math.max(from, first ?? from)).toISOString().slice(0, 10),
      ...(asked.length === 0 && { note: 'Nobody has asked about a node in this time.' }),
    };
    const rows = asked
      .slice(0, limit)
      .map(({ node, times, last }) => ({ node, title: titleOf(node), times, last: new Date(last).toISOString() }));
    const uses = counts.slice(0, limit).map(({ type, workflows: users, nodes, live }) => ({
      node: told(type),
      title: told(titleOf(type)),
      workflows: users,
      nodes_count: nodes,
      live,
    }));
    // Both lists share the room: neither may crowd out the other.
    const pairs = Array.from({ length: Math.max(rows.length, uses.length) }, (_, at) => [rows[at], uses[at]]);
    const kept = fittingItems(pairs, head);
    return { asked: rows.slice(0, kept), used: uses.slice(0, kept), ...head };
  },
});

/** n8n stores a workflow with any type, however long. */
const told = (type: string): string => line(type, LONGEST_TYPE);

const titles = (catalogue: Catalogue | undefined) => (type: string) =>
  catalogue?.node(type)?.title ?? type.slice(type.lastIndexOf('.') + 1);
