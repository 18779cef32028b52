import { z } from 'zod';
import { connectionsShape, type Node, nodeShape } from '../client/shapes.ts';
import type { Template } from './template.ts';
import { isStickyNote, MOST_TYPES, typesIn } from './text.ts';

const MOST_NODES = 2000;
/** JSON.stringify fails after some thousands, and n8n's editor nests a few dozen. */
const DEEPEST = 500;

/** Old exports have `typeVersion` as text and positions with decimals or not at all. */
const looseNode = z.preprocess((given) => {
  if (typeof given !== 'object' || given === null) return given;
  const { typeVersion, position, parameters, disabled, webhookId, id } = given as Record<string, unknown>;
  const at = Array.isArray(position) && position.length === 2 && position.every((one) => typeof one === 'number');
  const kept = Object.entries(given).filter(
    ([key]) => !['typeVersion', 'position', 'parameters', 'disabled', 'webhookId', 'id'].includes(key),
  );
  const version = Number(typeVersion ?? 1);
  return {
    ...Object.fromEntries(kept),
    typeVersion: Number.isFinite(version) && version > 0 ? version : 1,
    ...(at && { position }),
    parameters: typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters) ? parameters : {},
    ...(typeof disabled === 'boolean' && { disabled }),
    ...(typeof webhookId === 'string' && { webhookId }),
    ...(typeof id === 'string' && { id }),
  };
}, nodeShape);

const workflowShape = z.looseObject({
  nodes: z.array(looseNode).max(MOST_NODES),
  connections: connectionsShape.catch({}),
  settings: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  pinData: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

/** The workflow in a template or an export; undefined if it is none, or if it is nested too deep to be written again. */
export function workflowIn(given: unknown): Template['workflow'] | undefined {
  const read = workflowShape.safeParse(given);
  if (!read.success || isDeeperThan(DEEPEST, read.data)) return undefined;
  const { nodes, connections, settings, pinData } = read.data;
  return { nodes, connections, ...(settings && { settings }), ...(pinData && { pinData }) };
}

const isDeeperThan = (most: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((one) => isDeeperThan(most - 1, one)));

/** Types and versions of its nodes, each once. */
export function usedBy(nodes: readonly Node[]): {
  readonly nodes: string[];
  readonly versions: [type: string, version: number][];
} {
  const pairs = new Map<string, [string, number]>();
  for (const { type, typeVersion = 1 } of nodes) {
    if (!isStickyNote(type)) pairs.set(JSON.stringify([type, typeVersion]), [type, typeVersion]);
  }
  return { nodes: typesIn(nodes.map(({ type }) => type)), versions: [...pairs.values()].slice(0, 2 * MOST_TYPES) };
}

/** The texts of its sticky notes, in their order on the canvas from left to right. */
export const stickyNotes = (nodes: readonly Node[]): string[] =>
  nodes
    .filter(({ type }) => isStickyNote(type))
    .sort((one, other) => (one.position?.[0] ?? 0) - (other.position?.[0] ?? 0))
    .flatMap(({ parameters: { content } }) => (typeof content === 'string' && content.trim() !== '' ? [content] : []));
