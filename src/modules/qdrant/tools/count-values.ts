import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { facetAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { collectionInput, filterInput, qdrantTool } from '../tool.ts';

export const countValues = qdrantTool({
  name: 'qdrant_count_values',
  title: 'Count values',
  description: 'The values of a payload field with how many points have each (facets). The field needs an index.',
  phrases: 'which sources are in the collection; values of a payload field; facets; distribution of tags',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    key: z.string().min(1).max(500).describe('Payload field'),
    filter: filterInput.optional(),
    limit: z.int().min(1).max(200).default(20).describe('At most so many values'),
  }),
  output: z.object({
    values: z.array(z.object({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.number() })),
    more: z.int().optional(),
  }),
  async run({ collection: name, key, filter, limit }, qdrant, { signal }, progress) {
    const { path } = await openCollection(qdrant, name, signal);
    const body = { key, limit, ...(filter && { filter }) };
    const { hits } = await qdrant.ask(facetAnswer, `${path}/facet`, { method: 'POST', body, signal, progress });
    const values = hits.map(({ value, count }) => ({
      value: typeof value === 'string' ? shortened(value, 200) : value,
      count,
    }));
    const fits = fittingItems(values);
    return { values: values.slice(0, fits), ...(fits < values.length && { more: values.length - fits }) };
  },
});
