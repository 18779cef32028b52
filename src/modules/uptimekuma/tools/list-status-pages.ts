import { z } from 'zod';
import { paged } from '../../paged.ts';
import { addressOfPage, pagesOf } from '../status-pages.ts';
import { cursorInput, cursorOutput, uptimekumaTool } from '../tool.ts';
import { shortened } from '../../shown.ts';

const NAME = 'uptimekuma_list_status_pages';

export const listStatusPages = uptimekumaTool({
  name: NAME,
  title: 'List status pages',
  description: 'Lists status pages with title and address.',
  phrases: 'list status pages; which public status pages are there; address of our status page',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({
    status_pages: z.array(
      z.object({
        slug: z.string(),
        title: z.string(),
        address: z.string(),
        published: z.boolean(),
        domains: z.array(z.string()).optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ cursor }, kuma) {
    const { page, next } = paged(
      pagesOf(kuma),
      ({ slug, title, published, domainNameList }) => ({
        slug,
        title: shortened(title, 150),
        address: addressOfPage(kuma, slug),
        published,
        ...(domainNameList.length > 0 && { domains: domainNameList.slice(0, 5).map((name) => shortened(name, 100)) }),
      }),
      { list: NAME, asked: {}, cursor },
    );
    return { status_pages: page, ...next };
  },
});
