import { z } from 'zod';
import type { Node, Workflow } from './client/shapes.ts';

/** Name prefix and tag of everything we generate in n8n, so that people see who made it. */
export const GENERATED_PREFIX = '[sluice] ';
export const GENERATED_TAG = 'sluice-bridge';

const markShape = z.object({
  /** Which Sluice made it: several may share an n8n. */
  owner: z.string(),
  /** What it is for. */
  kind: z.string(),
  /** The workflow it was made from. */
  source: z.string().optional(),
  /** Tells apart the workflows made from the same source. */
  part: z.string().optional(),
  /** Hash of the source. If it changes, the workflow is generated again. */
  hash: z.string(),
});

export type Mark = z.output<typeof markShape>;

const LEAD = 'sluice-bridge:';

/** The notes of one node of a generated workflow: a sentence for people, then the mark. */
export function markNote(sentence: string, mark: Mark): string {
  return `${sentence}\n${LEAD}${JSON.stringify(mark)}`;
}

/** The mark of a workflow that Sluice generated; undefined for any other workflow. */
export function markOf({ name, tags, nodes }: Pick<Workflow, 'name' | 'tags' | 'nodes'>): Mark | undefined {
  // Somebody copied a generated workflow and renamed the copy: the copy is theirs.
  if (!name.startsWith(GENERATED_PREFIX) && !tags?.some((tag) => tag.name === GENERATED_TAG)) return undefined;
  for (const node of nodes) {
    const mark = markIn(node);
    if (mark) return mark;
  }
  return undefined;
}

/** The id of a node that carries a mark starts with this. */
const MARKED_ID = 'sluice-';

function markIn({ id, notes }: Node): Mark | undefined {
  // Duplicating a workflow in n8n's editor keeps name, tag and notes, but gives the nodes new ids.
  if (!id?.startsWith(MARKED_ID)) return undefined;
  const at = typeof notes === 'string' ? notes.lastIndexOf(LEAD) : -1;
  if (at < 0) return undefined;
  try {
    return markShape.safeParse(JSON.parse((notes as string).slice(at + LEAD.length))).data;
  } catch {
    return undefined;
  }
}

/** Whether Sluice generated this workflow. Sluice keeps it up to date itself, so lists, backups and fixes skip it. */
export const isGenerated = (workflow: Pick<Workflow, 'name' | 'tags' | 'nodes'>): boolean =>
  markOf(workflow) !== undefined;

/** Whether Sluice generated this credential, which opens generated workflows. */
export const isGeneratedCredential = ({ name, type }: { name: string; type: string }): boolean =>
  type === 'httpHeaderAuth' && name.startsWith(`${GENERATED_PREFIX}bridge`);
