import { z } from 'zod';
import { brief } from '../text-part.ts';

export const outputsOutput = z.record(z.string(), z.unknown());

const MOST_KEYS = 15;
const ROOM = 4500;

/** Outputs of a workflow as far as they fit into a reply, and the names of those that were cut. */
export function shownOutputs(outputs: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(outputs);
  const whole = JSON.stringify(outputs);
  if (brief(whole, ROOM) === whole) return { outputs: { ...outputs }, cut: [] };
  const room = Math.floor(ROOM / Math.min(entries.length, MOST_KEYS)) - 100;
  const shown = entries.slice(0, MOST_KEYS).map(([name, value]) => {
    const text = textOf(value);
    const part = brief(text, Math.max(50, room));
    return { name: brief(name, 80), value: part === text ? value : part, isCut: part !== text };
  });
  return {
    outputs: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    cut: [
      ...shown.filter(({ isCut }) => isCut).map(({ name }) => name),
      ...(entries.length > MOST_KEYS ? [`and ${entries.length - MOST_KEYS} more`] : []),
    ],
  };
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '');
