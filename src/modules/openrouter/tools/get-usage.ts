import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import type { OpenRouter } from '../connection.ts';
import { keyReply } from '../replies.ts';
import { budgetOutput, openrouterTool } from '../tool.ts';

const keyOutput = z.object({
  used: z.number().optional(),
  used_today: z.number().optional(),
  used_this_week: z.number().optional(),
  used_this_month: z.number().optional(),
  limit: z.number().optional().describe("OpenRouter's own limit of the key"),
  limit_left: z.number().optional(),
  limit_reset: z.string().optional(),
  free_tier: z.boolean().optional(),
  expires: z.string().optional(),
});

export const getUsage = openrouterTool({
  name: 'openrouter_get_usage',
  title: 'Get usage',
  description: 'What is spent and left of the budget, and what the key has used at OpenRouter, in US dollars.',
  phrases:
    'how much have we spent; what is left of the budget; spending today; usage of the key; limit of the api key; can i afford another chat',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    budget: budgetOutput,
    key: keyOutput.optional().describe('All use of the key, also by others'),
  }),
  async run(_, openrouter, { signal }, progress) {
    const key = await keyOf(openrouter, signal, progress);
    return { budget: await openrouter.budget.state(), ...(key && { key }) };
  },
});

async function keyOf(
  openrouter: OpenRouter,
  signal: AbortSignal,
  progress: Parameters<OpenRouter['models']>[1],
): Promise<z.output<typeof keyOutput> | undefined> {
  try {
    const { data } = await openrouter.ask(keyReply, '/key', { signal, progress });
    return {
      ...(data.usage !== undefined && { used: data.usage }),
      ...(data.usage_daily !== undefined && { used_today: data.usage_daily }),
      ...(data.usage_weekly !== undefined && { used_this_week: data.usage_weekly }),
      ...(data.usage_monthly !== undefined && { used_this_month: data.usage_monthly }),
      ...(data.limit !== undefined && { limit: data.limit }),
      ...(data.limit_remaining !== undefined && { limit_left: data.limit_remaining }),
      ...(data.limit_reset !== undefined && { limit_reset: shortened(data.limit_reset, 30) }),
      ...(data.is_free_tier !== undefined && { free_tier: data.is_free_tier }),
      ...(data.expires_at !== undefined && { expires: shortened(data.expires_at, 40) }),
    };
  } catch (error) {
    // Other servers with this API need not have it.
    if (error instanceof AppError && error.code === 'unsupported') return undefined;
    throw error;
  }
}
