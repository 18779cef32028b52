import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { type Message, mostTokens } from './most-tokens.ts';
import { maxPrice, mostCost, type Prices, pricesOf } from './price.ts';
import type { Model } from './replies.ts';

/** A chat as somebody asks for it. */
export interface Wanted {
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly schema?: object | undefined;
  readonly reasoning?: string | undefined;
}

/** A chat that may be sent once `most` dollars are set aside. */
export interface Request {
  readonly body: object;
  readonly prices: Prices;
  readonly most: number;
}

/** They search the web as often as they like, and each search has a price. */
const SEARCHES = /^perplexity\/|(?:^|[-/])sonar\b|search-preview|deep-research|-search(?:-|:|$)|:online\b/;

/** The request for a chat with this model. Throws if nobody can say beforehand what it costs at most. */
export function requestFor(model: Model, wanted: Wanted): Request {
  const tokens = { input: mostTokens(wanted.messages, wanted.schema), output: wanted.maxTokens };
  const prices = chatPrices(model, tokens.input);
  const { temperature, schema, reasoning } = wanted;
  const limit = model.supported_parameters.includes('max_tokens') ? 'max_tokens' : 'max_completion_tokens';
  return {
    prices,
    most: mostCost(prices, tokens),
    body: {
      model: model.id,
      messages: wanted.messages,
      stream: true,
      [limit]: wanted.maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(schema && {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      }),
      ...(reasoning !== undefined && { reasoning: { effort: reasoning, exclude: true } }),
      // A provider that ignores the limit of tokens could write without end.
      provider: { require_parameters: true, max_price: maxPrice(prices) },
      // An account may have switched searching on for every request.
      plugins: [{ id: 'web', enabled: false }],
    },
  };
}

/** What a chat with this model costs a token, if that can be known. */
export function chatPrices(model: Model, tokens: number): Prices {
  const refused = (why: string) =>
    new AppError(
      'invalid_input',
      `${shown(model.id)} ${why}, so nobody can say beforehand what it costs. Use another model: openrouter_list_models shows the prices.`,
    );
  const { output_modalities: writes } = model.architecture;
  if (writes.some((modality) => modality !== 'text')) throw refused('answers with more than text');
  if (SEARCHES.test(model.id)) throw refused('searches the web by itself');
  const parameters = model.supported_parameters;
  if (!parameters.includes('max_tokens') && !parameters.includes('max_completion_tokens'))
    throw refused('does not let the length of an answer be limited');
  const prices = pricesOf(model.pricing, tokens);
  if (!prices) throw refused('has no fixed price');
  return prices;
}
