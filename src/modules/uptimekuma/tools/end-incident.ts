import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import { statusPage } from '../status-pages.ts';
import { done, slugInput, uptimekumaTool } from '../tool.ts';

export const endIncident = uptimekumaTool({
  name: 'uptimekuma_end_incident',
  title: 'End the incident',
  description: 'Takes all incidents off the top of a status page.',
  phrases: 'end the incident; unpin the incident; the outage is over; remove the message from the status page',
  effect: 'update',
  input: z.strictObject({ slug: slugInput }),
  output: z.object({ slug: z.string(), ended: z.array(z.string()).describe('Titles') }),
  async run({ slug }, kuma, { signal }) {
    const { config, page } = await statusPage(kuma, slug, signal);
    if (page.incidents.length === 0)
      throw new AppError('not_found', `The status page "${config.slug}" has no pinned incident. Nothing was changed.`);
    await kuma.ask(done, 'unpinIncident', [config.slug], signal);
    return { slug: config.slug, ended: page.incidents.slice(0, 20).map(({ title }) => shortened(title, 100)) };
  },
});
