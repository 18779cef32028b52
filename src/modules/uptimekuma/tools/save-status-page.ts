import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { statusPageShape } from '../answers.ts';
import type { Kuma } from '../connection.ts';
import { monitorNamed } from '../monitors.ts';
import { addressOfPage, monitorsOn, statusPage, type WholePage } from '../status-pages.ts';
import { done, monitorInput, named, plural, slugInput, uptimekumaTool } from '../tool.ts';

const input = z.strictObject({
  slug: slugInput,
  title: z.string().trim().min(1).max(200).optional().describe('Heading of the page'),
  description: z.string().max(5000).optional().describe('Markdown'),
  footer: z.string().max(2000).optional().describe('Text at the end of the page'),
  theme: z.enum(['auto', 'light', 'dark']).optional(),
  show_tags: z.boolean().optional().describe('Shows tags of monitors'),
  show_certificate_expiry: z.boolean().optional().describe('Shows when certificates expire'),
  groups: z
    .array(z.strictObject({ name: z.string().trim().min(1).max(200), monitors: z.array(monitorInput).max(300) }))
    .max(50)
    .optional()
    .describe('All groups in their order, each with all its monitors; replaces those on the page'),
});

type Given = z.output<typeof input>;

export const saveStatusPage = uptimekumaTool({
  name: 'uptimekuma_save_status_page',
  title: 'Save a status page',
  description:
    'Changes texts, theme or groups of a status page. What is not given stays. Visitors see it at once, so new monitors on it are confirmed first.',
  phrases:
    'put a monitor on the status page; change the title of the status page; edit status page groups; update status page description',
  effect: 'update',
  confirms: true,
  input,
  output: z.object({
    slug: z.string(),
    title: z.string(),
    address: z.string(),
    groups: z.int(),
    monitors: z.int(),
  }),
  async preview(given, kuma, { signal }) {
    const whole = await statusPage(kuma, given.slug, signal);
    const shownBefore = new Set(monitorsOn(whole.page).map(({ id }) => id));
    const published = groupsFor(kuma, given, whole)
      .flatMap(({ monitorList }) => monitorList)
      .filter(({ id }) => !shownBefore.has(id));
    if (published.length === 0) return undefined;
    const names = published.slice(0, 10).flatMap(({ id }) => {
      const monitor = kuma.pushed.monitors.get(id);
      return monitor ? [named(monitor)] : [];
    });
    return `Shows ${plural(published.length, 'more monitor')} to everybody at ${addressOfPage(kuma, whole.config.slug)}, by name and state: ${names.join(', ')}${published.length > 10 ? ' and others' : ''}.`;
  },
  async run(given, kuma, { signal }) {
    const whole = await statusPage(kuma, given.slug, signal);
    const groups = groupsFor(kuma, given, whole);
    const { title, description, footer, theme, show_tags, show_certificate_expiry, groups: newGroups } = given;
    const changes = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(footer !== undefined && { footerText: footer }),
      ...(theme !== undefined && { theme }),
      ...(show_tags !== undefined && { showTags: show_tags }),
      ...(show_certificate_expiry !== undefined && { showCertificateExpiry: show_certificate_expiry }),
    };
    if (Object.keys(changes).length === 0 && newGroups === undefined)
      throw new AppError('invalid_input', 'Nothing is given that should change. Add a field, such as title or groups.');
    const config = { ...whole.config, ...changes };
    const { slug, icon } = config as typeof config & { icon?: unknown };
    await kuma.ask(done, 'saveStatusPage', [slug, config, typeof icon === 'string' ? icon : '', groups], signal);
    kuma.pushed.statusPages.set(slug, statusPageShape.parse(config));
    return {
      slug,
      title: config.title,
      address: addressOfPage(kuma, slug),
      groups: groups.length,
      monitors: groups.reduce((sum, { monitorList }) => sum + monitorList.length, 0),
    };
  },
});

/** The groups that the page shall have. One that keeps its name keeps its id, and monitors keep whether they are links. */
function groupsFor(kuma: Kuma, { groups }: Given, { config, page }: WholePage) {
  const links = new Map(
    monitorsOn(page).map(({ id, sendUrl, url }) => [id, { id, sendUrl, ...(url != null && { url }) }]),
  );
  if (!groups)
    return page.groups.map(({ id, name, monitorList }) => ({
      id,
      name,
      monitorList: monitorList.map((one) => links.get(one.id) ?? { id: one.id }),
    }));
  kuma.reach.needAll(monitorsOn(page), `The status page ${config.slug}`);
  const ids = new Map(page.groups.map(({ id, name }) => [name, id]));
  return groups.map(({ name, monitors }) => {
    const id = ids.get(name);
    // Two groups may have the same name.
    ids.delete(name);
    return {
      ...(id !== undefined && { id }),
      name,
      monitorList: monitors.map((given) => {
        const monitor = monitorNamed(kuma, given);
        return links.get(monitor.id) ?? { id: monitor.id };
      }),
    };
  });
}
