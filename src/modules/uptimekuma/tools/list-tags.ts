import { z } from 'zod';
import { monitorsOf } from '../monitors.ts';
import { paged } from '../../paged.ts';
import { readTags } from '../tags.ts';
import { cursorInput, cursorOutput, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const NAME = 'uptimekuma_list_tags';

export const listTags = uptimekumaTool({
  name: NAME,
  title: 'List tags',
  description: 'Lists tags with how many monitors have each.',
  phrases: 'list tags of uptime kuma; which tags are there; how many monitors have a tag',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({
    tags: z.array(z.object({ id: z.int(), name: z.string(), color: z.string().optional(), monitors: z.int() })),
    cursor: cursorOutput,
  }),
  async run({ cursor }, kuma, { signal }) {
    const monitors = monitorsOf(kuma);
    const tags = await readTags(kuma, signal);
    const { page, next } = paged(
      tags,
      ({ id, name, color }) => ({
        id,
        name: shortened(name, 100),
        ...(color && { color: shortened(color, 30) }),
        monitors: monitors.filter((one) => one.tags.some(({ tag_id }) => tag_id === id)).length,
      }),
      { list: NAME, asked: {}, cursor },
    );
    return { tags: page, ...next };
  },
});
