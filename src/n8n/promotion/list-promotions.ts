import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { instanceName, sidesOf } from './asked.ts';
import { linkKinds } from './link.ts';

const NAME = 'n8n_list_promotions';
const MOST = 100;

export const listPromotions = n8nTool({
  name: NAME,
  title: 'List promotions',
  description:
    'Lists promotions between n8n instances, newest first, with their state and what they changed. With "mapping", lists what stands for what between two instances instead, as earlier promotions learned it.',
  effect: 'read',
  phrases:
    'which promotions were there; history of deployments between instances; when was this promoted to production; list releases to the other n8n; show the kept mapping of credentials between staging and production; what stands for what on the other instance; did the last promotion work; promotions that stopped half way; which workflow on production belongs to this one on staging; show past promotions',
  tags: ['promotion'],
  namesInstances: true,
  input: {
    to: instanceName.optional().describe('Only promotions to this n8n'),
    from: instanceName.optional().describe('With "mapping": the n8n they came from'),
    mapping: z.boolean().optional().describe('The mapping between `from` and `to`'),
    cursor: z.string().max(1000).optional().describe('Cursor of the last reply'),
  },
  output: z.object({
    promotions: z
      .array(
        z.object({
          id: z.string(),
          from: z.string(),
          to: z.string(),
          state: z.string().describe('running, done, rolled back, half done, undone, half undone'),
          started: z.string(),
          created: z.number(),
          updated: z.number(),
          published: z.number(),
          workflows: z.array(z.string()).describe('Names of the first'),
          stopped: z.string().optional().describe('Why it stopped'),
        }),
      )
      .optional(),
    mapping: z
      .array(
        z.object({
          kind: z.enum(linkKinds),
          type: z.string().optional(),
          name: z.string(),
          id: z.string(),
          to: z.object({ id: z.string(), name: z.string() }),
          promoted: z.literal(true).optional().describe('A promotion wrote it itself'),
        }),
      )
      .optional(),
    cursor: z.string().optional(),
  }),
  async run({ to, from, mapping = false, cursor }, { promotions, instances }) {
    const asked = { to, from, mapping };
    const { skip } = placeIn(NAME, asked, cursor);
    const page = <T>(items: readonly T[]) => {
      const rest = items.slice(skip);
      const kept = rest.length === 0 ? 0 : fittingItems(rest, { cursor: 'x'.repeat(80) });
      return {
        items: rest.slice(0, kept),
        ...(kept < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept }) }),
      };
    };
    if (mapping) {
      const { source, target } = sidesOf(instances, { from, to });
      const links = await promotions.links(source.name, target.name);
      const { items, ...rest } = page(
        links.map(({ last, made, ...link }) => ({ ...link, ...((last ?? made) && { promoted: true as const }) })),
      );
      return { mapping: items, ...rest };
    }
    if (to !== undefined) instances.get(to);
    const found = await promotions.list({ to }, MOST);
    const { items, ...rest } = page(
      found.map(({ id, from: source, to: target, state, started, about }) => ({
        id,
        from: source,
        to: target,
        state,
        started: started.toISOString(),
        ...about,
        workflows: about.workflows.slice(0, 5),
      })),
    );
    return { promotions: items, ...rest };
  },
});
