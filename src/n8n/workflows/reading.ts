import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { linksOf, linkText } from '../../nodes/links.ts';
import type { Node, Workflow } from '../client/shapes.ts';

/** Default limit for JSON, in bytes. */
export const LARGEST = 200_000;

const nodeNote = z.object({
  name: z.string(),
  type: z.string(),
  disabled: z.boolean().optional(),
  pinned: z.boolean().optional().describe('Has pinned data'),
  to: z.array(z.string()).optional().describe('Next nodes, with kind, output and input if not the default'),
});

export const readOutput = z.object({
  nodes: z.array(nodeNote).optional().describe('structure'),
  node: z.record(z.string(), z.unknown()).optional().describe('node: as in n8n'),
  connections: z.array(z.string()).optional().describe('node: its connections'),
  pinned: z.unknown().optional().describe('node: its pinned data'),
  full: z.record(z.string(), z.unknown()).optional().describe('full: as in n8n'),
  more: z.string().optional().describe('What was left out, and how to get it'),
});

export interface How {
  readonly detail?: 'structure' | 'full' | undefined;
  readonly node?: string | undefined;
  readonly from?: number | undefined;
  readonly max_bytes?: number | undefined;
}

type Readable = Pick<Workflow, 'name' | 'nodes' | 'connections'> & Partial<Workflow>;

/** The requested part of a workflow, cut to fit. `besides` is the rest of the same answer. */
export function readVersion(workflow: Readable, besides: unknown, how: How): z.input<typeof readOutput> {
  const { detail, node, from = 0, max_bytes = LARGEST } = how;
  if (node !== undefined) return oneNode(workflow, node, max_bytes);
  return detail === 'full' ? everything(workflow, besides, max_bytes) : structure(workflow, besides, from);
}

function structure(workflow: Readable, besides: unknown, from: number) {
  const links = Map.groupBy(linksOf(workflow.connections), (link) => link.from);
  const notes = workflow.nodes.slice(from).map(({ name, type, disabled }) => ({
    name,
    type,
    ...(disabled && { disabled }),
    ...(Object.hasOwn(workflow.pinData ?? {}, name) && { pinned: true }),
    ...(links.has(name) && { to: (links.get(name) ?? []).map((link) => linkText(link).slice(name.length + 4)) }),
  }));
  const kept = fittingItems(notes, besides);
  const end = from + kept;
  const left = workflow.nodes.length - end;
  return {
    nodes: notes.slice(0, kept),
    ...(left > 0 && { more: `${left} more nodes: repeat with "from": ${end}.` }),
  };
}

function everything(workflow: Readable, besides: unknown, largest: number) {
  // Leave out the live version: it doubles the size, and "version" reads it.
  const { activeVersion: _, shared: __, ...full } = workflow;
  const bytes = Buffer.byteLength(JSON.stringify(full));
  if (bytes <= largest) return { full };
  return {
    ...structure(workflow, besides, 0),
    more: `The whole workflow has ${bytes} bytes, more than max_bytes (${largest}), so this is only as much of its structure as fits. Read nodes one by one with "node", or raise max_bytes.`,
  };
}

function oneNode(workflow: Readable, name: string, largest: number) {
  const node = workflow.nodes.find((one) => one.name === name);
  if (!node) throw unknownNode(workflow, name);
  const pinned = workflow.pinData && Object.hasOwn(workflow.pinData, name) ? workflow.pinData[name] : undefined;
  const bytes = Buffer.byteLength(JSON.stringify([node, pinned]));
  const connections = linksOf(workflow.connections)
    .filter(({ from, to }) => from === name || to === name)
    .map(linkText);
  if (bytes <= largest) return { node, connections, ...(pinned !== undefined && { pinned }) };
  return {
    node: shortened(node, largest) as Record<string, unknown>,
    connections,
    more: `The node and its pinned data have ${bytes} bytes, more than max_bytes (${largest}), so long texts and lists are cut and pinned data is left out. Raise max_bytes for everything.`,
  };
}

function shortened(node: Node, largest: number): unknown {
  const share = Math.max(100, Math.floor(largest / 20));
  const short = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length > share ? `${value.slice(0, share)}…` : value;
    if (Array.isArray(value)) return value.slice(0, 20).map(short);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, 50)
        .map(([key, item]) => [key, short(item)]),
    );
  };
  return short(node);
}

function unknownNode(workflow: Readable, name: string): AppError {
  const names = workflow.nodes.map((node) => node.name);
  const advice = didYouMean(inQuotes(nearestNames(name, names)), 'Omit "node" to list its nodes.');
  return new AppError('not_found', `"${workflow.name}" has no node "${shown(name)}". ${advice}`);
}
