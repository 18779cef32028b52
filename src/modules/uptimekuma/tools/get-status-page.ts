import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { statusPageShape } from '../answers.ts';
import { stateOf } from '../monitors.ts';
import { addressOfPage, monitorsOn, statusPage } from '../status-pages.ts';
import { slugInput, stateOutput, uptimekumaTool } from '../tool.ts';

export const getStatusPage = uptimekumaTool({
  name: 'uptimekuma_get_status_page',
  title: 'Get a status page',
  description: 'Shows a status page: its texts, public groups with their monitors and states, and pinned incidents.',
  phrases: 'show a status page; what does our status page say; which monitors are on the status page',
  effect: 'read',
  input: z.strictObject({
    slug: slugInput,
    skip: z.int().min(0).max(10_000).default(0).describe('Monitors to leave out, from next_skip'),
  }),
  output: z.object({
    slug: z.string(),
    title: z.string(),
    address: z.string(),
    published: z.boolean(),
    description: z.string().optional(),
    footer: z.string().optional(),
    theme: z.string().optional(),
    domains: z.array(z.string()).optional(),
    groups: z.array(z.string()),
    monitors: z.array(z.object({ group: z.string(), id: z.int(), name: z.string(), state: stateOutput })),
    next_skip: z.int().optional().describe('There are more monitors'),
    out_of_reach: z.int().optional().describe('Monitors that the configuration does not allow'),
    incidents: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        content: z.string(),
        style: z.string().optional(),
        since: z.string().optional(),
      }),
    ),
  }),
  async run({ slug, skip }, kuma, { signal }) {
    const { config, page } = await statusPage(kuma, slug, signal);
    const { title, published, description, footerText, theme, domainNameList } = statusPageShape.parse(config);
    const monitors = page.groups.flatMap(({ name: group, monitorList }) =>
      monitorList.flatMap(({ id }) => {
        const monitor = kuma.pushed.monitors.get(id);
        if (!monitor || !kuma.reach.has(monitor)) return [];
        const { name } = monitor;
        return [{ group: shortened(group, 40), id, name: shortened(name, 100), state: stateOf(monitor, kuma.pushed) }];
      }),
    );
    const hidden = monitorsOn(page).length - monitors.length;
    const besides = {
      slug: config.slug,
      title: shortened(title, 150),
      address: addressOfPage(kuma, config.slug),
      published,
      ...(description && { description: shortened(description, 250) }),
      ...(footerText && { footer: shortened(footerText, 100) }),
      ...(theme && { theme }),
      ...(domainNameList.length > 0 && { domains: domainNameList.slice(0, 3).map((name) => shortened(name, 60)) }),
      groups: page.groups.slice(0, 10).map(({ name }) => shortened(name, 40)),
      ...(hidden > 0 && { out_of_reach: hidden }),
      incidents: page.incidents.slice(0, 2).map(({ id, title: said, content, style, createdDate }) => ({
        id,
        title: shortened(said, 80),
        content: shortened(content ?? '', 150),
        ...(style && { style }),
        ...(createdDate && { since: createdDate }),
      })),
    };
    const some = monitors.slice(skip, skip + 200);
    const shownOnes = some.length === 0 ? some : some.slice(0, fittingItems(some, besides));
    const next = skip + shownOnes.length;
    return { ...besides, monitors: shownOnes, ...(next < monitors.length && { next_skip: next }) };
  },
});
