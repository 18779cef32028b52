import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { nearestNames, shown } from '../../kernel/nearest-names.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { scanWorkflows } from '../find/scan.ts';
import { typeMatches } from '../find/search.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { countTypes, type NodeUse, type TypeCount, usesIn } from './node-use.ts';

const NAME = 'n8n_find_node_usage';
const NAMES_SHOWN = 5;
const OTHERS_SHOWN = 5;

const typeCount = z.object({
  type: z.string(),
  workflows: z.number(),
  live: z.number().describe('How many of these workflows are live'),
  nodes: z.number(),
  versions: z.array(z.object({ version: z.number(), nodes: z.number() })),
});

export const findNodeUsage = n8nTool({
  name: NAME,
  aliases: { n8n_node_usage: sameArguments },
  title: 'Find node usage',
  description:
    'Shows which workflows use a node: how often, in which versions, live or not. Without "node": every node type in use, most used first.',
  effect: 'read',
  phrases:
    'which workflows use this node; where is a node used; most used nodes; do i use this node anywhere; outdated node versions in use; how often is a node used; count nodes in my workflows; which nodes are in use; which flows contain this node; how many workflows use this node; statistics of nodes; is this node still in use; which nodes do i use most; who uses the code node; find old node versions in my workflows; list workflows by node type; are we still using this node somewhere; what nodes are popular in our flows; which workflows contain this node; count of node types; where do we use ai nodes; nodes with old versions; usage of community nodes; how widespread is a node; how common is a node with us; which flows rely on this node; in which workflows is this node; usage of a node type; who uses this node; find workflows that use a certain node; nodes we never use; frequency of nodes; deprecated nodes that are still used',
  tags: ['nodes', 'find'],
  guidance:
    'Before you upgrade n8n or replace a node, see who uses it and in which versions. get_node_versions compares two versions.',
  input: {
    node: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Type of a node: n8n-nodes-base.slack, slack, or part of a name if no node is called that'),
    archived: z.boolean().optional().describe('Include archived workflows'),
    limit: z.int().min(1).max(200).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    searched: z.number().describe('Workflows searched'),
    total: z.number().describe('Workflows that use it; without "node", types in use'),
    types: z.array(typeCount),
    workflows: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          active: z.boolean(),
          archived: z.boolean().optional(),
          uses: z.array(
            z.object({
              type: z.string(),
              version: z.number(),
              count: z.number(),
              nodes: z.array(z.string()).describe('The first node names'),
              disabled: z.number().optional().describe('How many of them are disabled'),
              live: z.boolean().optional().describe('Only in the live version, not in the draft'),
            }),
          ),
        }),
      )
      .optional(),
    others: z.array(z.string()).optional().describe('Other types in use with this in their name'),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [
    { title: 'Who uses Slack', arguments: { node: 'slack' } },
    { title: 'All nodes in use', arguments: {} },
  ],
  async run({ node, archived = false, limit, cursor }, { client }, { signal }) {
    const asked = { instance: client.name, node, archived };
    const { skip } = placeIn(NAME, asked, cursor);
    const workflows = (await scanWorkflows(client, signal)).filter((one) => archived || !one.isArchived);
    const everything = workflows.map((workflow) => ({
      workflow,
      active: workflow.active,
      uses: usesIn(workflow, () => true),
    }));
    const counts = countTypes(everything);
    const part = <T>(all: readonly T[], head: object) => {
      const rest = all.slice(skip);
      const kept = rest.slice(0, limit ?? fittingItems(rest, { ...head, cursor: 'x'.repeat(100) }));
      return {
        kept,
        next: kept.length < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept.length }) },
      };
    };
    if (node === undefined) {
      const head = { searched: workflows.length, total: counts.length };
      const { kept, next } = part(counts, head);
      return { ...head, types: kept, ...next };
    }
    const { meant, others } = typesMeant(counts, node);
    if (meant.length === 0) throw unused(counts, node);
    const names = new Set(meant.map(({ type }) => type));
    const users = everything
      .map(({ workflow, uses }) => ({ workflow, uses: uses.filter(({ type }) => names.has(type)) }))
      .filter(({ uses }) => uses.length > 0)
      .sort(
        (a, b) => Number(b.workflow.active) - Number(a.workflow.active) || (a.workflow.name < b.workflow.name ? -1 : 1),
      )
      .map(({ workflow: { id, name, active, isArchived }, uses }) => ({
        id,
        name,
        active,
        ...(isArchived && { archived: true }),
        uses: uses.map(brief),
      }));
    const head = {
      searched: workflows.length,
      total: users.length,
      types: meant,
      ...(others.length > 0 && { others: others.slice(0, OTHERS_SHOWN).map(({ type }) => type) }),
    };
    const { kept, next } = part(users, head);
    return { ...head, workflows: kept, ...next };
  },
});

/** A complete name means only that node: `if` must not match every node with these two letters. */
function typesMeant(counts: readonly TypeCount[], node: string): { meant: TypeCount[]; others: TypeCount[] } {
  const wanted = node.trim().toLowerCase();
  const bare = wanted.replaceAll(/[\s_-]/g, '');
  const own = ({ type }: TypeCount) => type.toLowerCase();
  const whole = counts.filter((one) => own(one) === wanted || own(one).slice(own(one).lastIndexOf('.') + 1) === bare);
  const near = counts.filter((one) => !whole.includes(one) && typeMatches(one.type, node.trim()));
  return whole.length > 0 ? { meant: whole, others: near } : { meant: near, others: [] };
}

function unused(counts: readonly TypeCount[], node: string): AppError {
  const near = nearestNames(
    node,
    counts.map(({ type }) => type.slice(type.lastIndexOf('.') + 1)),
  );
  const advice = near.length > 0 ? `These are in use: ${near.join(', ')}.` : 'Omit "node" to list all types in use.';
  return new AppError(
    'not_found',
    `No workflow uses a node ${shown(node)}. ${advice} search_nodes finds nodes by what they do.`,
  );
}

function brief({ type, version, names, disabled, live }: NodeUse) {
  return {
    type,
    version,
    count: names.length,
    nodes: names.slice(0, NAMES_SHOWN),
    ...(disabled > 0 && { disabled }),
    ...(live && { live }),
  };
}
