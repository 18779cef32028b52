import { z } from 'zod';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import { n8nTool } from '../tool.ts';
import { namedWorkflow } from '../workflows/dependents.ts';
import { allTags, tagIn } from './names.ts';
import { tagOutput } from './tag-input.ts';

const MOST_NAMED = 20;

export const deleteTag = n8nTool({
  name: 'n8n_delete_tag',
  title: 'Delete tag',
  description: 'Deletes a tag for good. The workflows that had it stay, without it; the answer names them.',
  effect: 'delete',
  phrases:
    'delete a tag; remove a label everywhere; get rid of a tag; drop a category; erase a tag that is not needed; remove a tag for good; this label is not needed any more; delete a category; get rid of unused labels; nobody uses the label, kill it; remove obsolete tags; scrap a tag; tag is superfluous; the tag is useless, away with it; label can go; clear a tag from the system',
  tags: ['tags'],
  input: { tag: z.string().min(1).describe('Name or id of the tag') },
  output: tagOutput.extend({
    workflows: z.array(z.object({ id: z.string(), name: z.string() })).describe('Workflows that had it'),
    more: z.number().optional().describe('How many more had it'),
  }),
  async preview({ tag }, { client }, { signal }) {
    const { id, name, had } = await tagged(tag, client, signal);
    const stay =
      had.length === 0
        ? 'No workflow has it.'
        : `${counted(had.length, 'workflow')} will lose it: ${someOf(had.map(namedWorkflow))}.`;
    return `It deletes the tag ${quoted(name)} (${id}). ${stay}`;
  },
  async run({ tag }, { client }, { signal }) {
    const { id, name, had } = await tagged(tag, client, signal);
    await client.tags.delete(id, signal);
    const workflows = had.slice(0, MOST_NAMED).map((one) => ({ id: one.id, name: one.name }));
    return { id, name, workflows, ...(had.length > MOST_NAMED && { more: had.length - MOST_NAMED }) };
  },
});

/** The wanted tag, and the workflows that have it. */
async function tagged(tag: string, client: N8nClient, signal: AbortSignal) {
  const { id, name } = tagIn(await allTags(client, signal), tag);
  // n8n splits its filter at commas, so it cannot filter by a name with a comma.
  const filter = name.includes(',') ? {} : { tags: [name] };
  const had = (await Array.fromAsync(client.workflows.all(filter, signal))).filter(({ tags }) =>
    tags?.some((one) => one.id === id),
  );
  return { id, name, had };
}
