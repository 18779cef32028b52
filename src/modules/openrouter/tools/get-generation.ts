import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { generationReply } from '../replies.ts';
import { openrouterTool } from '../tool.ts';

export const getGeneration = openrouterTool({
  name: 'openrouter_get_generation',
  title: 'Get a generation',
  description:
    "OpenRouter's record of one chat: cost, tokens, provider, duration, whether it was cancelled. It appears a few seconds after the chat.",
  phrases:
    'what did that chat cost; how long did the generation take; which provider answered; was the generation cancelled; tokens of a generation',
  effect: 'read',
  input: z.strictObject({ id: z.string().trim().min(1).max(200).describe('From openrouter_chat, e.g. gen-…') }),
  output: z.object({
    id: z.string(),
    model: z.string().optional(),
    provider: z.string().optional(),
    created: z.string().optional(),
    cost: z.number().optional().describe('US dollars'),
    upstream_cost: z.number().optional().describe('Paid to the provider with a key of your own'),
    finish_reason: z.string().optional(),
    cancelled: z.boolean().optional(),
    tokens: z.object({
      input: z.number().optional(),
      output: z.number().optional(),
      reasoning: z.number().optional(),
      cached: z.number().optional(),
    }),
    latency_ms: z.number().optional(),
    duration_ms: z.number().optional(),
  }),
  async run({ id }, openrouter, { signal }, progress) {
    const { data } = await openrouter.ask(generationReply, '/generation', { query: { id }, signal, progress });
    const { native_tokens_prompt: input, native_tokens_completion: output } = data;
    const { native_tokens_reasoning: reasoning, native_tokens_cached: cached } = data;
    return {
      id: shortened(data.id, 150),
      ...texts({
        model: data.model,
        provider: data.provider_name,
        created: data.created_at,
        finish_reason: data.finish_reason,
      }),
      ...(data.total_cost !== undefined && { cost: data.total_cost }),
      ...(data.is_byok === true &&
        data.upstream_inference_cost !== undefined && { upstream_cost: data.upstream_inference_cost }),
      ...(data.cancelled !== undefined && { cancelled: data.cancelled }),
      tokens: {
        ...(input !== undefined && { input }),
        ...(output !== undefined && { output }),
        ...(reasoning !== undefined && { reasoning }),
        ...(cached !== undefined && { cached }),
      },
      ...(data.latency !== undefined && { latency_ms: data.latency }),
      ...(data.generation_time !== undefined && { duration_ms: data.generation_time }),
    };
  },
});

const texts = (given: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, shortened(value, 150)]])),
  );
