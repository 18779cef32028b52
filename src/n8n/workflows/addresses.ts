import { z } from 'zod';
import type { Workflow } from '../client/shapes.ts';
import { triggersOf } from '../running/triggers.ts';

/** The URL of a trigger. */
export const addressShape = z.object({
  node: z.string(),
  url: z.string(),
  method: z.string().optional().describe('For a webhook'),
});

/** The URLs at which a workflow answers while it is published. */
export function addressesOf(base: string, { nodes }: Pick<Workflow, 'nodes'>): z.output<typeof addressShape>[] {
  return triggersOf(nodes).flatMap(({ node, way }) => {
    const address = way.address?.(node);
    if (!address) return [];
    const { path, method } = address;
    return { node: node.name, url: `${base.replace(/\/+$/, '')}/${path}`, ...(method !== undefined && { method }) };
  });
}
