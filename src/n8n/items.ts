import { z } from 'zod';
import { isRecord } from '../validation/json/record.ts';

/** What n8n passes from node to node. */
export interface N8nItem {
  readonly json: Readonly<Record<string, unknown>>;
  /** For example `binary` and `pairedItem`. */
  readonly [key: string]: unknown;
}

const record = z.record(z.string(), z.unknown());

/** Items as callers write them: one or several, each as plain data or in n8n's form. */
export const itemsInput = z.union([z.array(record), record], {
  error: 'items must be an array of objects, like [{ "id": 1 }], or one object',
});

/** Items by node name. */
export const pinsInput = z.record(z.string(), itemsInput);

/** The keys n8n has in an item, each with a check that tells it from a data key of the same name. */
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
 * Items in n8n's form, [{ json: { … } }]. `{ id: 1 }` and `{ json: { id: 1 } }` mean the same. The data may itself have a
 * key `json`: it is n8n's wrapper only if it holds an object and every other key is one of n8n's.
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

/** Pinned data in n8n's form. */
export function pinsOf(given: Readonly<Record<string, unknown>>): Record<string, N8nItem[]> {
  return Object.fromEntries(Object.entries(given).map(([node, items]) => [node, itemsOf(items)]));
}
