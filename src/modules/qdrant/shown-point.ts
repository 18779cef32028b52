import { z } from 'zod';
import { shortened } from '../shown.ts';
import type { Point } from './answers.ts';

export const pointOutput = z.object({
  id: z.union([z.string(), z.number()]),
  score: z.number().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  more_keys: z.int().optional().describe('Keys of the payload that are not shown'),
  vector: z.record(z.string(), z.string()).optional().describe('Shortened'),
});

/** More of a payload is not shown at once. */
const MOST_PAYLOAD = 1500;
const MOST_ITEMS = 20;
const DEEPEST = 5;
const SHOWN_NUMBERS = 8;

interface Options {
  /** How much of each text to show. */
  readonly chars: number;
}

export function shownPoint({ id, score, payload, vector }: Point, { chars }: Options): z.output<typeof pointOutput> {
  const { shown, left } = shownPayload(payload, chars);
  return {
    id: typeof id === 'string' ? shortened(id, 100) : id,
    ...(score != null && { score: Math.round(score * 1e6) / 1e6 }),
    ...(Object.keys(shown).length > 0 && { payload: shown }),
    ...(left > 0 && { more_keys: left }),
    ...(vector != null && { vector: shownVectors(vector) }),
  };
}

/** As many keys of a payload as have room, with long texts and lists cut. */
function shownPayload(payload: Readonly<Record<string, unknown>>, chars: number) {
  const shown: [string, unknown][] = [];
  let room = Math.max(MOST_PAYLOAD, chars + 200);
  for (const [key, value] of Object.entries(payload)) {
    const one = [shortened(key, 100), cut(value, chars, 0)] as [string, unknown];
    room -= JSON.stringify(one).length;
    if (room < 0) break;
    shown.push(one);
  }
  return { shown: Object.fromEntries(shown), left: Object.keys(payload).length - shown.length };
}

function cut(value: unknown, chars: number, depth: number): unknown {
  if (typeof value === 'string') return shortened(value, chars);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= DEEPEST) return '[…]';
  if (Array.isArray(value)) {
    const some = value.slice(0, MOST_ITEMS).map((item) => cut(item, chars, depth + 1));
    return value.length > MOST_ITEMS ? [...some, `… ${value.length - MOST_ITEMS} more`] : some;
  }
  const entries = Object.entries(value);
  const some = entries.slice(0, MOST_ITEMS).map(([key, item]) => [shortened(key, 100), cut(item, chars, depth + 1)]);
  return Object.fromEntries(
    entries.length > MOST_ITEMS ? [...some, ['…', `${entries.length - MOST_ITEMS} more`]] : some,
  );
}

/** Vectors by name, with their first numbers only. */
function shownVectors(vector: unknown): Record<string, string> {
  if (Array.isArray(vector)) return { vector: shownVector(vector) };
  return Object.fromEntries(
    Object.entries(vector as object)
      .slice(0, 10)
      .map(([name, value]) => [shortened(name, 100), shownVector(value)]),
  );
}

function shownVector(value: unknown): string {
  if (Array.isArray(value)) {
    const some = value.slice(0, SHOWN_NUMBERS).map((one) => (typeof one === 'number' ? one.toPrecision(4) : '[…]'));
    return `[${some.join(', ')}${value.length > SHOWN_NUMBERS ? ', …' : ''}] (${value.length} dimensions)`;
  }
  const { indices } = (value ?? {}) as { indices?: unknown };
  return Array.isArray(indices) ? `sparse, ${indices.length} terms` : 'another kind of vector';
}
