import { z } from 'zod';
import { inFull } from '../../gateway/exposure/exposure.ts';
import { signature } from '../../gateway/exposure/signature.ts';
import type { Registered } from '../../gateway/registry.ts';

/** What a tool costs a client, in bytes; four bytes are about one token. */
export const toolCost = z.object({
  flat: z.number().describe('Its definition in tools/list'),
  compact: z.number().describe('Its line in the list of its source, or in what find_tools finds'),
});

export type ToolCost = z.infer<typeof toolCost>;

const known = new WeakMap<Registered, ToolCost>();

export function costOf(tool: Registered): ToolCost {
  let cost = known.get(tool);
  if (!cost) {
    cost = { flat: Buffer.byteLength(JSON.stringify(inFull(tool))), compact: Buffer.byteLength(lineOf(tool)) };
    known.set(tool, cost);
  }
  return cost;
}

/** How a compact list shows the tool. */
export const lineOf = ({ entry, wire }: Registered): string => signature(entry.tool, wire);
