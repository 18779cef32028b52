import { z } from 'zod';
import { messageOf } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import type { OpenRouter } from '../connection.ts';
import { pricesOf, rounded } from '../price.ts';
import { shownPrices } from '../shown-model.ts';
import { modelInput, openrouterTool, pricesOutput } from '../tool.ts';

const comparedOutput = z.object({
  model: z.string(),
  cost: z.number().optional().describe('US dollars for these tokens'),
  price: pricesOutput.optional(),
  context: z.number().optional(),
  problem: z.string().optional(),
});

export const compareModels = openrouterTool({
  name: 'openrouter_compare_models',
  title: 'Compare models',
  description: 'What a chat of a given length would cost with several models, cheapest first. It sends nothing.',
  phrases:
    'compare prices of models; what would it cost; which of these models is cheaper; estimate the cost of a prompt; price table',
  effect: 'read',
  input: z.strictObject({
    models: z.array(modelInput).min(1).max(12).describe('Ids of models'),
    input_tokens: z.int().min(0).max(100_000_000).default(1000).describe('About 4 characters are a token'),
    output_tokens: z.int().min(0).max(100_000_000).default(500).describe('Tokens of an answer'),
  }),
  output: z.object({ models: z.array(comparedOutput) }),
  async run({ models, input_tokens: input, output_tokens: output }, openrouter, { signal }, progress) {
    // One request for all of them, whose failure is not that of one model.
    await openrouter.models(signal, progress);
    const wanted = [...new Set(models)];
    const compared = await Promise.all(wanted.map((id) => comparedOf(openrouter, id, { input, output }, signal)));
    const costOf = ({ cost = Number.MAX_VALUE }: z.output<typeof comparedOutput>) => cost;
    return { models: compared.sort((a, b) => costOf(a) - costOf(b)) };
  },
});

async function comparedOf(
  openrouter: OpenRouter,
  id: string,
  tokens: { readonly input: number; readonly output: number },
  signal: AbortSignal,
): Promise<z.output<typeof comparedOutput>> {
  try {
    const model = await openrouter.find(id, signal);
    const { pricing, context_length: context } = model;
    const price = shownPrices(pricing);
    const prices = pricesOf(pricing, tokens.input);
    if (!price || !prices) return { model: id, problem: 'Its price is not known beforehand.' };
    const { listed, request } = prices;
    const cost = request + listed.prompt * tokens.input + listed.completion * tokens.output;
    return { model: id, cost: rounded(cost), price, ...(context !== undefined && { context }) };
  } catch (error) {
    return { model: shortened(id, 80), problem: shortened(messageOf(error), 150) };
  }
}
