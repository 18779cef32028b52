import { z } from 'zod';
import { n8nTool } from '../tool.ts';

const USUAL = 2000;
const MOST = 50_000;

export const syncTemplates = n8nTool({
  name: 'n8n_sync_templates',
  title: 'Sync templates',
  description:
    "Downloads the entries of the most viewed templates of n8n's public library, so that n8n_search_templates finds them by words and meaning on this machine, also offline. About 200 entries a second; repeat it to continue or to bring them up to date.",
  effect: 'read',
  phrases:
    'download the template list; make template search work offline; sync the template library; update the cached templates; refresh the local template index; fetch all templates for local search; bring the list of templates up to date; prepare templates for a machine without internet; cache the public template library; load the most viewed templates',
  tags: ['templates'],
  input: {
    limit: z.int().min(1).max(MOST).default(USUAL).describe('How many of the most viewed'),
  },
  output: z.object({
    templates: z.number().describe('Entries that are here now'),
    total: z.number().describe('How many the library has'),
    pages: z.object({
      read: z.number(),
      current: z.number().describe('Were up to date already'),
    }),
  }),
  examples: [{ title: 'The 2,000 most viewed', arguments: {} }],
  async run({ limit }, { templates }, { signal }, progress) {
    return templates.sync(limit, signal, progress);
  },
});
