import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { statusPageShape } from '../answers.ts';
import type { Kuma } from '../connection.ts';
import { addressOfPage, pageIfThere, statusPage } from '../status-pages.ts';
import { done, uptimekumaTool } from '../tool.ts';

export const addStatusPage = uptimekumaTool({
  name: 'uptimekuma_add_status_page',
  title: 'Add a status page',
  description: 'Adds an empty status page. It is public at once; uptimekuma_save_status_page puts monitors on it.',
  phrases: 'create a status page; new public status page; make a page that shows our uptime',
  effect: 'create',
  confirms: true,
  input: z.strictObject({
    title: z.string().trim().min(1).max(200).describe('Heading of the page'),
    slug: z
      .string()
      .regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, 'has other characters than a-z, 0-9 and single hyphens')
      .max(100)
      .describe('The end of its address, such as shop'),
  }),
  output: z.object({ slug: z.string(), title: z.string(), address: z.string() }),
  async preview({ title, slug }, kuma, { signal }) {
    await needNew(kuma, slug, signal);
    return `Publishes the empty status page "${title}" at ${addressOfPage(kuma, slug)}.`;
  },
  async run({ title, slug }, kuma, { signal }) {
    await needNew(kuma, slug, signal);
    await kuma.ask(done, 'addStatusPage', [title, slug], signal);
    const { config } = await statusPage(kuma, slug, signal);
    kuma.pushed.statusPages.set(slug, statusPageShape.parse(config));
    return { slug, title, address: addressOfPage(kuma, slug) };
  },
});

async function needNew(kuma: Kuma, slug: string, signal: AbortSignal): Promise<void> {
  if (!(await pageIfThere(kuma, slug, signal))) return;
  throw new AppError(
    'conflict',
    `There is a status page "${slug}" already. Change it with uptimekuma_save_status_page, or choose another slug.`,
  );
}
