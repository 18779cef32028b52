import { z } from 'zod';
import { imagesInReach, shortId } from '../images.ts';
import { page } from '../page.ts';
import { dockerTool, offsetInput } from '../tool.ts';

export const listImages = dockerTool({
  name: 'docker_list_images',
  title: 'List images',
  description:
    'Lists the images on the host with tags, size and age, newest first. Images without a tag were replaced by newer ones.',
  phrases: 'docker images; which images are on the host; how large is the image; list image tags; untagged images',
  effect: 'read',
  input: z.strictObject({
    query: z.string().min(1).max(200).optional().describe('Only with this text in a tag'),
    untagged: z.boolean().default(false).describe('Only images without a tag'),
    offset: offsetInput,
  }),
  output: z.object({
    images: z.array(z.object({ id: z.string(), tags: z.array(z.string()), created: z.string(), bytes: z.number() })),
    total: z.int(),
    total_bytes: z.number().describe('Of all that fit; layers that images share count for each of them'),
    next_offset: z.int().optional(),
  }),
  async run({ query, untagged, offset }, docker, { signal }) {
    const text = query?.toLowerCase();
    const chosen = (await imagesInReach(docker, signal))
      .filter(({ tags }) => !untagged || tags.length === 0)
      .filter(({ tags }) => text === undefined || tags.some((tag) => tag.toLowerCase().includes(text)))
      .sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
    const { items, ...rest } = page(
      chosen.map(({ id, tags, created, bytes }) => ({
        id: shortId(id),
        tags: tags.slice(0, 10),
        created: new Date(created * 1000).toISOString(),
        bytes,
      })),
      offset,
    );
    return { images: items, ...rest, total_bytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0) };
  },
});
