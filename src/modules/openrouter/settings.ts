import { z } from 'zod';
import { duration } from '../../host/config/duration.ts';
import { httpUrl, integer, text } from '../../host/config/scalars.ts';
import { allowList } from '../allowed.ts';
import { MOST_AMOUNT } from '../budget.ts';
import type { Problem } from '../module.ts';

const AMOUNT = 'Write an amount in US dollars a day (5), or { amount: 50, per: month }.';

const amount = z.union([z.number(), z.string()]).transform((given, context) => {
  const dollars = typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
  if (dollars >= 0 && dollars <= MOST_AMOUNT) return dollars;
  context.addIssue({ code: 'custom', message: 'is not an amount', params: { fix: AMOUNT } });
  return z.NEVER;
});

/** `5` is five dollars a day. */
const budget = z.preprocess(
  (given) => (typeof given === 'number' || typeof given === 'string' ? { amount: given } : given),
  z.strictObject({ amount, per: z.enum(['day', 'month']).default('day') }),
);

const header = text.refine((given) => /^[\x20-\x7e]+$/.test(given), 'must be plain ASCII text');

export const openrouterSettings = z.object({
  /** Any server with OpenRouter's API. */
  url: httpUrl.default('https://openrouter.ai/api/v1'),
  apiKey: z.string().min(1).optional(),
  /** What chats may cost in US dollars: a number for each day, or `{ amount: 50, per: month }`. */
  budget: budget.default({ amount: 1, per: 'day' }),
  /** Globs over the ids of models: `anthropic/*`. */
  models: allowList,
  /** For chats that name none. */
  model: z.string().min(1).optional(),
  /** The longest answer, in tokens. */
  maxTokens: integer(16, 200_000).default(2048),
  /** How many chats may run at a time. */
  concurrency: integer(1, 100).default(4),
  /** Answers take their time. */
  timeout: duration.default(300_000),
  /** How OpenRouter's statistics name the application. */
  referer: header.optional(),
  title: header.optional(),
});

export type OpenRouterSettings = z.output<typeof openrouterSettings>;

export function problemsIn({ url, apiKey }: OpenRouterSettings): readonly Problem[] {
  if (apiKey !== undefined || new URL(url).hostname !== 'openrouter.ai') return [];
  return [
    {
      key: 'apiKey',
      message: 'is missing',
      fix: 'Create a key at https://openrouter.ai/settings/keys, and add apiKey: ${OPENROUTER_API_KEY} or set OPENROUTER_API_KEY.',
    },
  ];
}
