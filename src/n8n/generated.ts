import { z } from 'zod';
import type { Node, Workflow } from './client/shapes.ts';

/** What everything that we generate in an n8n is called and tagged, so that people see whose it is. */
export const GENERATED_PREFIX = '[sluice] ';
export const GENERATED_TAG = 'sluice-bridge';

const markShape = z.object({
  /** Which Sluice made it: several may share an n8n. */
  owner: z.string(),
  /** What it is for. */
  kind: z.string(),
  /** The workflow it was made from. */
  source: z.string().optional(),
  /** Which of those that were made from the same source. */
  part: z.string().optional(),
  /** Of what it was made from: another hash, and it is made anew. */
  hash: z.string(),
});

export type Mark = z.output<typeof markShape>;

const LEAD = 'sluice-bridge:';

/** What the notes of one of its nodes say: a sentence for people, and the mark behind it. */
export function markNote(sentence: string, mark: Mark): string {
  return `${sentence}\n${LEAD}${JSON.stringify(mark)}`;
}

/** The mark of a workflow that a Sluice generated; undefined for everybody else's. */
export function markOf({ name, tags, nodes }: Pick<Workflow, 'name' | 'tags' | 'nodes'>): Mark | undefined {
  // A copy that somebody made of one and gave a name of its own is theirs.
  if (!name.startsWith(GENERATED_PREFIX) && !tags?.some((tag) => tag.name === GENERATED_TAG)) return undefined;
  for (const node of nodes) {
    const mark = markIn(node);
    if (mark) return mark;
  }
  return undefined;
}

/** What the ids of nodes begin with that bear a mark. */
const MARKED_ID = 'sluice-';

function markIn({ id, notes }: Node): Mark | undefined {
  // Whoever duplicates one in n8n's editor keeps name, tag and notes; the nodes of the copy get ids of their own.
  if (!id?.startsWith(MARKED_ID)) return undefined;
  const at = typeof notes === 'string' ? notes.lastIndexOf(LEAD) : -1;
  if (at < 0) return undefined;
  try {
    return markShape.safeParse(JSON.parse((notes as string).slice(at + LEAD.length))).data;
  } catch {
    return undefined;
  }
}

/** Whether a Sluice generated this workflow: it follows others by itself, and is nobody's to list, back up or mend. */
export const isGenerated = (workflow: Pick<Workflow, 'name' | 'tags' | 'nodes'>): boolean =>
  markOf(workflow) !== undefined;

/** Whether a credential is one that opens generated workflows. */
export const isGeneratedCredential = ({ name, type }: { name: string; type: string }): boolean =>
  type === 'httpHeaderAuth' && name.startsWith(`${GENERATED_PREFIX}bridge`);
