import { z } from 'zod';
import { shortened } from '../shown.ts';
import { perMillion, pricesOf, rounded } from './price.ts';
import type { Model, Pricing } from './replies.ts';
import { pricesOutput } from './tool.ts';

export const modelOutput = z.object({
  id: z.string(),
  name: z.string().optional(),
  context: z.number().optional().describe('Tokens'),
  price: pricesOutput.optional().describe('US dollars for a million tokens; none: not known beforehand'),
  reads: z.string().optional().describe('What it takes besides text'),
});

/** What a token costs with a short input, as price lists have it. */
export function shownPrices(pricing: Pricing): z.output<typeof pricesOutput> | undefined {
  const prices = pricesOf(pricing, 0);
  if (!prices) return undefined;
  return {
    input: perMillion(prices.listed.prompt),
    output: perMillion(prices.listed.completion),
    ...(prices.request > 0 && { request: rounded(prices.request) }),
  };
}

export function shownModel(model: Model): z.output<typeof modelOutput> {
  const price = shownPrices(model.pricing);
  const others = model.architecture.input_modalities.filter((modality) => modality !== 'text');
  return {
    id: shortened(model.id, 150),
    ...(model.name !== undefined && { name: shortened(model.name, 100) }),
    ...(model.context_length !== undefined && { context: model.context_length }),
    ...(price && { price }),
    ...(others.length > 0 && { reads: shortened(others.join(', '), 80) }),
  };
}
