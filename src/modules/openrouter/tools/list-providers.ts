import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { paged } from '../../paged.ts';
import { providersReply } from '../replies.ts';
import { cursorInput, cursorOutput, openrouterTool, searchInput } from '../tool.ts';

const providerOutput = z.object({
  slug: z.string(),
  name: z.string().optional(),
  headquarters: z.string().optional().describe('Country'),
  datacenters: z.array(z.string()).optional().describe('Countries'),
  privacy: z.string().optional(),
  status: z.string().optional(),
});

export const listProviders = openrouterTool({
  name: 'openrouter_list_providers',
  title: 'List providers',
  description: 'The companies that run the models: where they are, their privacy policy and status page.',
  phrases:
    'which providers does openrouter have; where is the data processed; privacy policy of a provider; providers in europe',
  effect: 'read',
  input: z.strictObject({
    search: searchInput.describe('Part of the name'),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .optional()
      .describe('Where it has its seat or a data centre, e.g. DE'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.int(), providers: z.array(providerOutput), cursor: cursorOutput }),
  async run({ cursor, ...asked }, openrouter, { signal }, progress) {
    const { data } = await openrouter.ask(providersReply, '/providers', { signal, progress });
    const search = asked.search?.toLowerCase() ?? '';
    const country = asked.country?.toUpperCase();
    const found = data.filter(
      ({ slug, name = '', headquarters = '', datacenters }) =>
        `${slug} ${name}`.toLowerCase().includes(search) &&
        (country === undefined || [headquarters, ...datacenters].includes(country)),
    );
    const shownProvider = (one: (typeof data)[number]): z.output<typeof providerOutput> => ({
      slug: shortened(one.slug, 80),
      ...(one.name !== undefined && { name: shortened(one.name, 80) }),
      ...(one.headquarters !== undefined && { headquarters: shortened(one.headquarters, 20) }),
      ...(one.datacenters.length > 0 && {
        datacenters: one.datacenters.slice(0, 30).map((country) => shortened(country, 20)),
      }),
      ...(one.privacy_policy_url !== undefined && { privacy: shortened(one.privacy_policy_url, 200) }),
      ...(one.status_page_url !== undefined && { status: shortened(one.status_page_url, 200) }),
    });
    const { page, next } = paged(found, shownProvider, { list: 'openrouter_list_providers', asked, cursor });
    return { total: found.length, providers: page, ...next };
  },
});
