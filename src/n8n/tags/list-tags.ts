import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { allTags } from './names.ts';

const NAME = 'n8n_list_tags';

export const listTags = n8nTool({
  name: NAME,
  title: 'List tags',
  description:
    'Lists the tags of an n8n by name. n8n_list_workflows filters by them, n8n_set_workflow_tags assigns them.',
  effect: 'read',
  phrases:
    'list tags; which labels exist; show all tags; what categories are there; tag names and ids; all labels; what tags do we have; show the categories; tag overview; names of the tags; how do we label things here; tags in use; available labels; all categories of workflows; which tags could i use; enumerate our labels; existing tags; tags overview; which labels can i give; show labels',
  tags: ['tags'],
  input: {
    name: z.string().min(1).optional().describe('Part of the name, ignoring case'),
    limit: z.int().min(1).max(1000).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    tags: z.array(z.object({ id: z.string(), name: z.string() })),
    cursor: z.string().optional().describe('There are more'),
  }),
  async run({ name, limit, cursor }, { client }, { signal }) {
    const asked = { instance: client.name, name };
    const { skip } = placeIn(NAME, asked, cursor);
    const wanted = name?.toLowerCase() ?? '';
    const tags = (await allTags(client, signal))
      .map((tag) => ({ id: tag.id, name: tag.name }))
      .filter((tag) => tag.name.toLowerCase().includes(wanted))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(skip);
    const kept = limit ?? fittingItems(tags);
    return {
      tags: tags.slice(0, kept),
      ...(kept < tags.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept }) }),
    };
  },
});
