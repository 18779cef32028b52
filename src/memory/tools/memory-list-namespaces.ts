import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { spoken } from '../namespaces/belonging.ts';
import { iso } from '../times.ts';
import { memoryTool } from '../tool.ts';

export const memoryListNamespaces = memoryTool({
  name: 'memory_list_namespaces',
  title: 'List namespaces',
  description: 'Lists the namespaces you may use: whom each belongs to and what is in it.',
  phrases:
    'which namespaces are there; list namespaces; who owns this namespace; whom does a namespace belong to; how many memories are in each namespace; memory collections; memory spaces i may use; where are memories kept apart',
  effect: 'read',
  input: z.strictObject({
    name: z.string().optional().describe('Only this one'),
    after: z.string().optional().describe('The last name of the page before'),
  }),
  output: z.object({
    namespaces: z.array(
      z.object({
        name: z.string(),
        belongs_to: z.string(),
        memories: z.int(),
        pinned: z.int().optional(),
        newest: z.string().optional(),
      }),
    ),
    more: z.int().optional().describe('Ask again with after'),
  }),
  async run({ name: wanted, after = '' }, { open }, { principal }) {
    const { memory, namespaces } = await open();
    const mine = (await namespaces.list(principal)).filter(({ name }) =>
      wanted === undefined ? name > after : name === wanted,
    );
    const contents = new Map((await memory.contents(mine.map(({ name }) => name))).map((one) => [one.namespace, one]));
    const items = mine.map(({ name, belongsTo }) => {
      const { memories = 0, pinned = 0, newest } = contents.get(name) ?? {};
      return {
        name,
        belongs_to: spoken(belongsTo),
        memories,
        ...(pinned > 0 && { pinned }),
        ...(newest !== undefined && { newest: iso(newest) }),
      };
    });
    const fits = fittingItems(items);
    return { namespaces: items.slice(0, fits), ...(fits < items.length && { more: items.length - fits }) };
  },
});
