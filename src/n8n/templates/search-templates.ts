import { z } from 'zod';
import { placeIn } from '../cursor.ts';
import { instanceInput } from '../instance-input.ts';
import { n8nTool } from '../tool.ts';
import { listedShape } from './listed-shape.ts';
import type { TemplateSummary } from './template.ts';

const NAME = 'n8n_search_templates';
const SHOWN = 10;
const MOST = 100;

export const searchTemplates = n8nTool({
  name: NAME,
  title: 'Search templates',
  description:
    "Finds ready-made workflows for a task in plain words, in n8n's public template library and in libraries of your own. Filter by nodes, category, library, or by what this n8n has. n8n_get_template shows one; n8n_import_template creates a workflow from it.",
  effect: 'read',
  phrases:
    'find a workflow template; search the template library; is there a template for this; ready made workflow for a task; example workflows that use a node; templates with slack; browse the n8n template gallery; has somebody built this before; community workflows; workflow examples to start from; look for a template about invoices; popular templates; templates in a category; which templates run on my version of n8n; templates of our own library; starting point for an automation; prebuilt automation for a use case; search public workflows; find a blueprint workflow on n8n.io; templates that fit my instance; sample workflow for ai agents; most viewed templates; find a template by what it does; workflow gallery; inspiration for a workflow; offline template search; templates for marketing; existing automation i can copy from the library',
  tags: ['templates', 'search'],
  guidance:
    'Search before you build a workflow from scratch. Say what it should do, and add "nodes" for apps that must be in it. "fits": true leaves out templates whose nodes this n8n lacks.',
  input: {
    query: z.string().max(500).optional().describe('What the workflow should do. Default: the most viewed'),
    nodes: z
      .array(z.string().min(1).max(200))
      .max(20)
      .optional()
      .describe('All of these nodes: slack, HTTP Request, n8n-nodes-base.webhook'),
    category: z.string().min(1).max(100).optional().describe('E.g. AI, Marketing; in your own libraries a tag'),
    library: z.string().min(1).max(100).optional().describe('public, or the name of one of your own. Default: all'),
    fits: z.boolean().optional().describe('Only templates whose nodes this n8n has, in their versions'),
    limit: z.int().min(1).max(MOST).default(SHOWN).describe('At most this many'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
    instance: instanceInput,
  },
  output: z.object({
    templates: z.array(listedShape),
    total: z.number().describe('How many were found'),
    as_of: z.string().optional().describe('When the public library was read, if not just now'),
    note: z.string().optional(),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [
    { title: 'By words', arguments: { query: 'remind customers of unpaid invoices by email' } },
    { title: 'With certain nodes, for this n8n', arguments: { nodes: ['slack', 'googleSheets'], fits: true } },
    { title: 'One of your own libraries', arguments: { library: 'team', query: 'onboarding' } },
  ],
  async run({ limit, cursor, instance, fits = false, ...wanted }, { templates, catalogues, instances }, { signal }) {
    const [{ fitOf }, { catalogueNow, comparedWith, listed, pageOf }] = await Promise.all([
      import('./fits.ts'),
      import('./listed.ts'),
    ]);
    // Only this filter needs the catalogue, so only this waits for it.
    const catalogue = fits ? await catalogues.ready(instance) : catalogueNow(catalogues, instance);
    const fitting = fits && catalogue && { fits: (one: TemplateSummary) => fitOf(one, catalogue)?.fits ?? false };
    const search = () => templates.search({ ...wanted, ...fitting }, signal, catalogue);
    const asked = { instance, fits, ...wanted };
    const first = placeIn(NAME, asked, cursor).skip + limit;
    const { found, unknown } = fits
      ? await (await import('./read-versions.ts')).withVersions(search, first, templates, signal)
      : { found: await search(), unknown: 0 };
    const notes = [
      ...found.notes,
      ...(fits ? comparedWith(instances, catalogue) : []),
      ...(unknown > 0 ? [`The versions of ${unknown} could not be compared: n8n_get_template reads them.`] : []),
    ];
    const head = {
      total: found.templates.length,
      ...(found.asOf !== undefined && { as_of: found.asOf }),
      ...(notes.length > 0 && { note: notes.join(' ').slice(0, 1500) }),
    };
    const { items, next } = pageOf(NAME, asked, {
      all: found.templates,
      limit,
      cursor,
      head,
      shown: (one) => listed(one, catalogue),
    });
    return { templates: items, ...head, ...next };
  },
});
