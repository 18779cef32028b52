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

/** n8n_import_template accepts no longer one. */
const LONGEST_DESCRIPTION = 5000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The connections that can be read. One that cannot must not cost all the others. */
function readable(connections: unknown): unknown {
  if (!isObject(connections)) return {};
  const target = (kind: string) => (one: unknown) =>
    isObject(one) && typeof one.node === 'string'
      ? [
          {
            ...one,
            type: typeof one.type === 'string' ? one.type : kind,
            index: typeof one.index === 'number' ? one.index : 0,
          },
        ]
      : [];
  const kinds = (given: Record<string, unknown>) =>
    Object.entries(given).flatMap(([kind, outputs]) =>
      Array.isArray(outputs)
        ? [[kind, outputs.map((output) => (Array.isArray(output) ? output.flatMap(target(kind)) : null))] as const]
        : [],
    );
  return Object.fromEntries(
    Object.entries(connections).flatMap(([name, given]) =>
      isObject(given) ? [[name, Object.fromEntries(kinds(given))] as const] : [],
    ),
  );
}

const workflowShape = z.looseObject({
  nodes: z.array(looseNode).max(MOST_NODES),
  connections: z.preprocess(readable, connectionsShape).catch({}),
  settings: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  pinData: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  nodeGroups: z.array(z.unknown()).nullish().catch(undefined),
  description: z.string().max(LONGEST_DESCRIPTION).nullish().catch(undefined),
  id: z.union([z.string(), z.number()]).nullish().catch(undefined),
});

/** The workflow in a template or an export; undefined if it is none, or if it is nested too deep to be written again. */
export function workflowIn(given: unknown): Template['workflow'] | undefined {
  const read = workflowShape.safeParse(given);
  if (!read.success || isDeeperThan(DEEPEST, read.data)) return undefined;
  const { nodes, connections, settings, pinData, nodeGroups, description, id } = read.data;
  return {
    nodes,
    connections,
    ...(settings && { settings }),
    ...(pinData && { pinData }),
    ...(nodeGroups && { nodeGroups }),
    ...(description && { description }),
    ...(id !== undefined && id !== null && { id: String(id) }),
  };
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
