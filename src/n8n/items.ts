import { z } from 'zod';
import { isRecord } from '../validation/json/record.ts';

/** What n8n hands from node to node. */
export interface N8nItem {
  readonly json: Readonly<Record<string, unknown>>;
  /** Such as `binary` and `pairedItem`. */
  readonly [key: string]: unknown;
}

const record = z.record(z.string(), z.unknown());

/** Items as callers write them: one or several, each as its data or as n8n has it. */
export const itemsInput = z.union([z.array(record), record], {
  error: 'items are objects: [{ "id": 1 }], or one of them',
});

/** By name of a node. */
export const pinsInput = z.record(z.string(), itemsInput);

/** What n8n puts beside the data of an item, and how it is told from data that only bear the name. */
const beside: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['json', isRecord],
  ['binary', isRecord],
  ['pairedItem', (value) => typeof value === 'number' || (typeof value === 'object' && value !== null)],
  ['error', (value) => isRecord(value) && 'message' in value],
  ['metadata', (value) => isRecord(value) && 'subExecution' in value],
  ['evaluationData', isRecord],
  ['redaction', isRecord],
]);

/**
 * Items the way n8n wants them, [{ json: { … } }]. `{ id: 1 }` and `{ json: { id: 1 } }` mean the same. The data of an item
 * may have a key `json` of their own: it is n8n's wrapper only where it holds an object, and all beside it is n8n's too.
 */
export function itemsOf(given: unknown): N8nItem[] {
  return (Array.isArray(given) ? given : [given]).map(itemOf);
}

function itemOf(given: unknown): N8nItem {
  if (!isRecord(given)) return { json: { data: given } };
  const isWrapped =
    Object.hasOwn(given, 'json') && Object.entries(given).every(([key, value]) => beside.get(key)?.(value));
  return isWrapped ? (given as N8nItem) : { json: given };
}

/** Pinned data the way n8n wants it. */
export function pinsOf(given: Readonly<Record<string, unknown>>): Record<string, N8nItem[]> {
  return Object.fromEntries(Object.entries(given).map(([node, items]) => [node, itemsOf(items)]));
}
