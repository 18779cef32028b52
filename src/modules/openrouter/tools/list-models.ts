import { z } from 'zod';
import { paged } from '../../paged.ts';
import { pricesOf } from '../price.ts';
import type { Model } from '../replies.ts';
import { modelOutput, shownModel } from '../shown-model.ts';
import { cursorInput, cursorOutput, openrouterTool, searchInput } from '../tool.ts';

const dollars = z.number().min(0).optional();

export const listModels = openrouterTool({
  name: 'openrouter_list_models',
  title: 'List models',
  description: 'Models with their price and context, those that fit the filters. It costs nothing.',
  phrases:
    'which models are there; cheapest model; free models; models that read images; model with a long context; find a model by name; newest models',
  effect: 'read',
  input: z.strictObject({
    search: searchInput.describe('Words in the id, name or description, e.g. claude'),
    max_price: dollars.describe('Most for a million input tokens, in US dollars; 0: free'),
    max_output_price: dollars.describe('The same for output tokens'),
    context: z.int().min(1).optional().describe('At least so many tokens'),
    reads: z.enum(['text', 'image', 'file', 'audio', 'video']).optional().describe('What it takes as input'),
    supports: z.string().trim().min(1).max(60).optional().describe('A parameter, e.g. tools, structured_outputs'),
    sort: z.enum(['price', 'newest', 'context', 'id']).default('price').describe('price: cheapest first'),
    cursor: cursorInput,
  }),
  output: z.object({ total: z.int(), models: z.array(modelOutput), cursor: cursorOutput }),
  async run({ cursor, ...asked }, openrouter, { signal }, progress) {
    const all = await openrouter.models(signal, progress);
    const { search, max_price: input, max_output_price: output, context = 0, reads, supports, sort } = asked;
    const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...all.values()].filter((model) => {
      const { prompt, completion } = listedOf(model);
      const about = `${model.id} ${model.name ?? ''} ${model.description ?? ''}`.toLowerCase();
      return (
        words.every((word) => about.includes(word)) &&
        (input === undefined || prompt * 1e6 <= input + 1e-9) &&
        (output === undefined || completion * 1e6 <= output + 1e-9) &&
        (model.context_length ?? 0) >= context &&
        (reads === undefined || model.architecture.input_modalities.includes(reads)) &&
        (supports === undefined || model.supported_parameters.includes(supports))
      );
    });
    const sorted = found.sort((a, b) => ORDERS[sort](a, b) || (a.id < b.id ? -1 : 1));
    const { page, next } = paged(sorted, shownModel, { list: 'openrouter_list_models', asked, cursor });
    return { total: found.length, models: page, ...next };
  },
});

/** A price that is not known is more than any other. */
const listedOf = ({ pricing }: Model) =>
  pricesOf(pricing, 0)?.listed ?? { prompt: Number.POSITIVE_INFINITY, completion: Number.POSITIVE_INFINITY };

/** Most chats have about three tokens of input for one of output. */
function blend(model: Model): number {
  const { prompt, completion } = listedOf(model);
  return Math.min(Number.MAX_VALUE, 3 * prompt + completion);
}

const ORDERS: Readonly<Record<'price' | 'newest' | 'context' | 'id', (a: Model, b: Model) => number>> = {
  price: (a, b) => blend(a) - blend(b),
  newest: (a, b) => (b.created ?? 0) - (a.created ?? 0),
  context: (a, b) => (b.context_length ?? 0) - (a.context_length ?? 0),
  id: () => 0,
};
