import { createHash } from 'node:crypto';
import { z } from 'zod';
import { stableJson } from '../../n8n/generate/stable-json.ts';

/** The tag of the workflows that `sluice blueprint install` writes into n8n. */
export const TAG = 'sluice-blueprints';

const node = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  type: z.string(),
  notes: z.string().optional(),
});

/** What a person can change in a workflow. */
export const content = z.object({
  name: z.string(),
  nodes: z.array(node),
  connections: z.record(z.string(), z.unknown()),
});
export type Content = z.output<typeof content>;

const markShape = z.object({ workflow: z.string(), hash: z.string() });
export type Mark = z.output<typeof markShape>;

const LEAD = 'sluice-blueprints:';
/** A duplicate has the notes, too, but other ids: it belongs to whoever made it. */
const MARKED_ID = 'sluice-';

/** n8n and people at the canvas change these without changing what a workflow does. */
const beside = new Set(['id', 'position', 'webhookId', 'notes', 'notesInFlow']);

export function hashOf({ name, nodes, connections }: Content): string {
  const told = nodes.map((one) => Object.fromEntries(Object.entries(one).filter(([key]) => !beside.has(key))));
  told.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  return createHash('sha256')
    .update(stableJson({ name, nodes: told, connections }))
    .digest('hex')
    .slice(0, 32);
}

/** The nodes with a mark in the notes of the first one: n8n keeps nothing of ours elsewhere. */
export function marked(workflow: string, given: Content): Content['nodes'] {
  const mark: Mark = { workflow, hash: hashOf(given) };
  const notes = `\`sluice blueprint install\` wrote this workflow, and updates it. Duplicate it to change it.\n${LEAD}${JSON.stringify(mark)}`;
  return given.nodes.map((one, index) => (index === 0 ? { ...one, id: MARKED_ID + workflow, notes } : one));
}

export function markOf({ nodes }: Content): Mark | undefined {
  for (const { id, notes = '' } of nodes) {
    const at = notes.lastIndexOf(LEAD);
    if (at < 0 || id?.startsWith(MARKED_ID) !== true) continue;
    try {
      return markShape.safeParse(JSON.parse(notes.slice(at + LEAD.length))).data;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
