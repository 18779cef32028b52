import { z } from 'zod';
import { instanceInput } from '../instance-input.ts';
import { n8nTool } from '../tool.ts';
import { listedShape } from './listed-shape.ts';

const NAME = 'n8n_suggest_templates';
const SHOWN = 5;
const MOST = 50;
const MOST_EXTRA = 5;
const MOST_NOTE = 500;
/** Longer names are not repeated in full. */
const LONGEST_NAME = 40;

export const suggestTemplates = n8nTool({
  name: NAME,
  title: 'Suggest templates',
  description:
    'Suggests templates for a list of nodes: those that have most of them, with the fewest others. Says which nodes each one has. If none has all, it also returns a skeleton of the nodes, connected in the given order.',
  effect: 'read',
  phrases:
    'suggest templates for these nodes; which template combines slack and google sheets; template that has all these nodes; i want to use these nodes together; workflow for a set of nodes; templates that cover my nodes; recommend a workflow from a list of nodes; best template for these apps; combine these services in a workflow; what can i build with these nodes; skeleton workflow from nodes; a template with webhook, openai and airtable; how do others connect these nodes; turn a list of nodes into a workflow; workflow draft from selected nodes; which template uses most of these integrations; start from the nodes i picked',
  tags: ['templates', 'nodes'],
  guidance: 'Give the nodes in the order in which they run. n8n_get_template shows a suggestion in detail.',
  input: {
    nodes: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(20)
      .describe('Names or types, in their order: webhook, OpenAI, n8n-nodes-base.slack'),
    limit: z.int().min(1).max(MOST).default(SHOWN).describe('At most this many'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
    instance: instanceInput,
  },
  output: z.object({
    templates: z.array(
      listedShape.omit({ missing_nodes: true }).extend({
        covered: z.array(z.string()).describe('Of the nodes you gave'),
        not_covered: z.array(z.string()).optional(),
        extra: z.array(z.string()).optional().describe('Nodes that you did not give'),
      }),
    ),
    total: z.number(),
    not_covered: z.array(z.string()).optional().describe('Nodes that no template has'),
    skeleton: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('If no template has all: nodes and connections for n8n_create_workflow'),
    as_of: z.string().optional().describe('When the public library was read, if not just now'),
    note: z.string().optional(),
    cursor: z.string().optional(),
  }),
  examples: [{ title: 'Three steps', arguments: { nodes: ['webhook', 'openAi', 'slack'] } }],
  async run({ nodes: given, limit, cursor, instance }, { templates, catalogues }, { signal }) {
    const [{ catalogueNow, listed, pageOf }, { line, shortType }] = await Promise.all([
      import('./listed.ts'),
      import('./text.ts'),
    ]);
    const told = (name: string) => line(name, LONGEST_NAME);
    const nodes = [...new Set(given.map((one) => one.trim()).filter((one) => one !== ''))];
    const catalogue = catalogueNow(catalogues, instance);
    const { suggested, notes, asOf } = await templates.suggest(nodes, signal, catalogue);
    const isWhole = suggested[0]?.covered.length === nodes.length;
    const covered = new Set(suggested.flatMap((one) => one.covered));
    const missing = nodes.filter((one) => !covered.has(one));
    const made =
      isWhole || !catalogue || catalogue.curatedOnly
        ? undefined
        : (await import('./skeleton.ts')).skeletonOf(nodes, catalogue);
    const all = [...notes, ...(made?.notes ?? [])];
    const head = {
      total: suggested.length,
      ...(missing.length > 0 && { not_covered: missing.map(told) }),
      ...(made?.skeleton && { skeleton: made.skeleton }),
      ...(asOf !== undefined && { as_of: asOf }),
      ...(all.length > 0 && { note: all.join(' ').slice(0, MOST_NOTE) }),
    };
    const { items, next } = pageOf(
      NAME,
      { instance, nodes },
      {
        all: suggested,
        limit,
        cursor,
        head,
        shown: ({ template, covered: has, extra }) => {
          const lacks = nodes.filter((one) => !has.includes(one));
          const { missing_nodes: _, ...entry } = listed(template, catalogue);
          return {
            ...entry,
            covered: has.map(told),
            ...(lacks.length > 0 && { not_covered: lacks.map(told) }),
            ...(extra.length > 0 && { extra: extra.slice(0, MOST_EXTRA).map((type) => line(shortType(type), 60)) }),
          };
        },
      },
    );
    return { templates: items, ...head, ...next };
  },
});
