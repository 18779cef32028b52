import type { Pricing, Usage } from './replies.ts';

/** The dearest that a chat with text can cost, in US dollars. */
export interface Prices {
  /** For each token that is sent. */
  readonly input: number;
  /** For each token that comes back. */
  readonly output: number;
  /** For each request. */
  readonly request: number;
  /** The plain prices of a token, without caching and reasoning. Providers that ask more are ruled out. */
  readonly listed: { readonly prompt: number; readonly completion: number };
}

/** Sending a token may also write it to a cache, whether or not anybody asked for it. */
const INPUT = ['prompt', 'input_cache_read', 'input_cache_write', 'input_cache_write_1h'];
const OUTPUT = ['completion', 'internal_reasoning'];
/** Chats send and get text only, and switch searching off. */
const UNUSED = new Set([
  'audio',
  'audio_output',
  'image',
  'image_output',
  'image_token',
  'input_audio_cache',
  'web_search',
]);
/** Not prices. `discount` lowers those that are listed. */
const CONDITIONS = new Set(['discount', 'overrides', 'min_prompt_tokens', 'utc_start', 'utc_end']);

/**
 * What a chat with at most `tokens` of input costs a token. Undefined if OpenRouter does not say it beforehand, as for
 * `openrouter/auto`, whose price is -1.
 */
export function pricesOf(pricing: Pricing, tokens: number): Prices | undefined {
  const applying = [pricing, ...overridesIn(pricing).filter((one) => mayApply(one, tokens))];
  const dearest = (keys: readonly string[]): number =>
    Math.max(0, ...applying.flatMap((one) => keys.map((key) => priceIn(one, key) ?? 0)));
  const all = applying.flatMap((one) => Object.keys(one).filter((key) => !CONDITIONS.has(key)));
  const isKnown = applying.every((one) => all.every((key) => isPrice(priceIn(one, key) ?? 0)));
  if (!isKnown || priceIn(pricing, 'prompt') === undefined || priceIn(pricing, 'completion') === undefined)
    return undefined;
  // A price with a name that nobody knows yet may be for anything: each token, both ways, and the request.
  const usual = new Set([...INPUT, ...OUTPUT, ...UNUSED, 'request']);
  const unknown = [...new Set(all)].filter((key) => !usual.has(key)).reduce((sum, key) => sum + dearest([key]), 0);
  return {
    input: dearest(INPUT) + unknown,
    output: dearest(OUTPUT) + unknown,
    request: dearest(['request']) + unknown,
    listed: { prompt: dearest(['prompt']), completion: dearest(['completion']) },
  };
}

const isPrice = (given: number): boolean => Number.isFinite(given) && given >= 0;

/** Undefined if it is not there; NaN if it is no number. */
function priceIn(pricing: Pricing, key: string): number | undefined {
  const given = Object.hasOwn(pricing, key) ? pricing[key] : undefined;
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'number') return given;
  return typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
}

function overridesIn({ overrides }: Pricing): readonly Pricing[] {
  if (!Array.isArray(overrides)) return [];
  return overrides.filter((one): one is Pricing => typeof one === 'object' && one !== null);
}

/** A price for long inputs may count only for those. One for a time of day always may: the chat has just begun. */
function mayApply({ min_prompt_tokens: more }: Pricing, tokens: number): boolean {
  return typeof more !== 'number' || tokens > more;
}

/** Whoever uses keys of other providers pays those, and OpenRouter 5 % of its own price on top. */
const FEE = 1.05;

/** The most that a chat can cost. */
export const mostCost = ({ input, output, request }: Prices, tokens: { input: number; output: number }): number =>
  FEE * (request + input * tokens.input + output * tokens.output);

export interface Cost {
  readonly dollars: number;
  readonly source: 'reported' | 'computed';
}

/** What a chat did cost: as OpenRouter says, or else by its tokens. Undefined if neither is known. */
export function costOf(usage: Usage | undefined, prices: Prices): Cost | undefined {
  if (!usage) return undefined;
  const { cost, is_byok: ownKey, cost_details: details, prompt_tokens: sent, completion_tokens: written } = usage;
  const upstream = ownKey === true ? (details?.upstream_inference_cost ?? 0) : 0;
  if (cost !== undefined && isPrice(cost) && isPrice(upstream)) return { dollars: cost + upstream, source: 'reported' };
  if (sent === undefined || written === undefined || sent < 0 || written < 0) return undefined;
  return { dollars: mostCost(prices, { input: sent, output: written }), source: 'computed' };
}

const MILLION = 1e6;

/** As people compare prices: dollars for a million tokens. */
export const perMillion = (dollars: number): number => rounded(dollars * MILLION);

/** Without the noise of binary fractions. */
export const rounded = (dollars: number): number => Number(dollars.toPrecision(9));

/** `provider.max_price` of a request: OpenRouter takes no provider that asks more. In dollars for a million tokens. */
export const maxPrice = ({ listed, request }: Prices): Readonly<Record<string, string>> => ({
  prompt: written(listed.prompt * MILLION),
  completion: written(listed.completion * MILLION),
  request: written(request),
});

/** Rounded up, or the last digit would rule out the provider with exactly this price. */
function written(dollars: number): string {
  const digits = 9;
  return (Math.ceil(Number((dollars * 10 ** digits).toPrecision(12))) / 10 ** digits)
    .toFixed(digits)
    .replace(/\.?0+$/, '');
}
