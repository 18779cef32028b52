import { z } from 'zod';
import { nodeShape } from '../../n8n/client/shapes.ts';
import type { Found, FoundTrigger } from '../discover.ts';
import { firstItem, outsideOf } from './runnable.ts';

/** What is stored about a workflow to list and run it as a tool. */
export type Kept = Pick<
  Found,
  'id' | 'name' | 'description' | 'project' | 'tags' | 'trigger' | 'published' | 'archived'
>;

const keptShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  project: z.object({ id: z.string(), name: z.string().optional() }).optional(),
  tags: z.array(z.string()),
  published: z.boolean(),
  archived: z.boolean(),
  trigger: z.object({
    node: nodeShape,
    pinned: z.unknown().optional(),
    notes: z.array(z.string()).optional(),
  }),
});

/** Key of the stored workflows of one n8n. */
export const runsKey = (instance: string): string => `runs.${instance}`;

const LONGEST_NOTE = 4000;

/** Pinned data may be private: stores only the types of its values, and no headers. */
export function keptOf({ id, name, description, project, tags, trigger, published, archived }: Found): Kept {
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    ...(project && { project }),
    tags,
    published,
    archived,
    ...(trigger && {
      trigger: {
        node: trigger.node,
        ...(trigger.pinned !== undefined && { pinned: [{ json: outline(trigger) }] }),
        ...(trigger.notes && { notes: trigger.notes.map((note) => note.slice(0, LONGEST_NOTE)) }),
      },
    }),
  };
}

/** Reads stored workflows. Drops those that no longer have the expected shape. */
export function readKept(stored: unknown): Kept[] {
  return (Array.isArray(stored) ? stored : []).flatMap((one) => {
    const parsed = keptShape.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}

function outline(trigger: FoundTrigger): unknown {
  const example = firstItem(trigger.pinned);
  const parts = outsideOf(trigger)?.exampleParts;
  if (!parts) return blank(example);
  const shown = new Map(Object.entries(example ?? {}));
  return Object.fromEntries(parts.map((part) => [part, blank(shown.get(part))]));
}

/** An empty value of the same type. */
function blank(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (typeof value !== 'object' || value === null || depth > 5) return null;
  if (Array.isArray(value)) return value.slice(0, 3).map((item) => blank(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([name, inner]) => [name, blank(inner, depth + 1)]),
  );
}
