import { z } from 'zod';
import { addressOfPage, monitorsOn, statusPage } from '../status-pages.ts';
import { done, plural, slugInput, uptimekumaTool } from '../tool.ts';

export const deleteStatusPage = uptimekumaTool({
  name: 'uptimekuma_delete_status_page',
  title: 'Delete a status page',
  description: 'Deletes a status page with its groups and incidents. Monitors stay.',
  phrases: 'delete a status page; remove a public status page; take the status page down',
  effect: 'delete',
  input: z.strictObject({ slug: slugInput }),
  output: z.object({ slug: z.string(), title: z.string() }),
  async preview({ slug }, kuma, { signal }) {
    const { config, page } = await statusPage(kuma, slug, signal);
    kuma.reach.needAll(monitorsOn(page), `The status page ${config.slug}`);
    return `Deletes the status page "${config.title}" at ${addressOfPage(kuma, config.slug)} with ${plural(page.groups.length, 'group')} and ${plural(page.incidents.length, 'pinned incident')}. Its ${plural(monitorsOn(page).length, 'monitor')} will stay. This cannot be undone.`;
  },
  async run({ slug }, kuma, { signal }) {
    const { config, page } = await statusPage(kuma, slug, signal);
    kuma.reach.needAll(monitorsOn(page), `The status page ${config.slug}`);
    await kuma.ask(done, 'deleteStatusPage', [config.slug], signal);
    kuma.pushed.statusPages.delete(config.slug);
    return { slug: config.slug, title: config.title };
  },
});
