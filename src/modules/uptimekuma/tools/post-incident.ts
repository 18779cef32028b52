import { z } from 'zod';
import { addressOfPage, statusPage } from '../status-pages.ts';
import { plural, slugInput, uptimekumaTool } from '../tool.ts';

const incidentAnswer = z.looseObject({ incident: z.looseObject({ id: z.int() }) });

export const postIncident = uptimekumaTool({
  name: 'uptimekuma_post_incident',
  title: 'Post an incident',
  description: 'Publishes a message at the top of a status page. Everybody can read it.',
  phrases: 'post an incident; announce an outage on the status page; tell our users that there is a problem',
  effect: 'create',
  confirms: true,
  input: z.strictObject({
    slug: slugInput,
    title: z.string().trim().min(1).max(200).describe('Heading of the incident'),
    content: z.string().trim().min(1).max(5000).describe('Markdown'),
    style: z.enum(['info', 'warning', 'danger', 'primary', 'light', 'dark']).default('warning'),
  }),
  output: z.object({ slug: z.string(), id: z.int(), address: z.string() }),
  async preview({ slug, title, content }, kuma, { signal }) {
    const { config, page } = await statusPage(kuma, slug, signal);
    const before =
      kuma.isOld && page.incidents.length > 0 ? ` It replaces ${plural(page.incidents.length, 'incident')} there.` : '';
    return `Publishes the incident "${title}" (${plural(content.length, 'character')}) at ${addressOfPage(kuma, config.slug)} for everybody to read.${before}`;
  },
  async run({ slug, ...incident }, kuma, { signal }) {
    const { config } = await statusPage(kuma, slug, signal);
    const answer = await kuma.ask(incidentAnswer, 'postIncident', [config.slug, incident], signal);
    return { slug: config.slug, id: answer.incident.id, address: addressOfPage(kuma, config.slug) };
  },
});
