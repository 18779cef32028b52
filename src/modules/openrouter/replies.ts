import { z } from 'zod';

// OpenRouter's replies, as its OpenAPI description has them. Whatever Sluice does not use may be missing or odd.

const words = z.string().optional().catch(undefined);
const count = z.number().optional().catch(undefined);
const list = z.array(z.string()).catch([]);

/** Prices are texts, in US dollars for a token, request or image. What is not known has a negative price. */
export const pricing = z.record(z.string(), z.unknown());
export type Pricing = z.output<typeof pricing>;

export const modelReply = z.object({
  id: z.string(),
  name: words,
  description: words,
  created: count,
  context_length: count,
  architecture: z
    .object({ input_modalities: list, output_modalities: list })
    .catch({ input_modalities: [], output_modalities: [] }),
  pricing: pricing.catch({}),
  top_provider: z.object({ max_completion_tokens: count }).catch({}),
  supported_parameters: list,
  expiration_date: words,
});
export type Model = z.output<typeof modelReply>;

export const modelsReply = z.object({ data: z.array(modelReply) });

const percentiles = z.object({ p50: count }).optional().catch(undefined);

export const endpointsReply = z.object({
  data: z.object({
    endpoints: z.array(
      z.object({
        provider_name: z.string().catch('unknown'),
        tag: words,
        context_length: count,
        max_completion_tokens: count,
        quantization: words,
        pricing: pricing.catch({}),
        status: count,
        uptime_last_30m: count,
        latency_last_30m: percentiles,
        throughput_last_30m: percentiles,
      }),
    ),
  }),
});
export type Endpoint = z.output<typeof endpointsReply>['data']['endpoints'][number];

export const keyReply = z.object({
  data: z.object({
    usage: count,
    usage_daily: count,
    usage_weekly: count,
    usage_monthly: count,
    limit: count,
    limit_remaining: count,
    limit_reset: words,
    is_free_tier: z.boolean().optional().catch(undefined),
    expires_at: words,
  }),
});

export const creditsReply = z.object({ data: z.object({ total_credits: z.number(), total_usage: z.number() }) });

export const generationReply = z.object({
  data: z.object({
    id: z.string(),
    model: words,
    provider_name: words,
    created_at: words,
    total_cost: count,
    upstream_inference_cost: count,
    is_byok: z.boolean().optional().catch(undefined),
    cancelled: z.boolean().optional().catch(undefined),
    finish_reason: words,
    native_tokens_prompt: count,
    native_tokens_completion: count,
    native_tokens_reasoning: count,
    native_tokens_cached: count,
    latency: count,
    generation_time: count,
  }),
});

export const providersReply = z.object({
  data: z.array(
    z.object({
      slug: z.string(),
      name: words,
      headquarters: words,
      datacenters: list,
      privacy_policy_url: words,
      status_page_url: words,
    }),
  ),
});

export const usageReply = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  cost: count,
  is_byok: z.boolean().optional().catch(undefined),
  cost_details: z.object({ upstream_inference_cost: count }).optional().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: count }).optional().catch(undefined),
});
export type Usage = z.output<typeof usageReply>;

/** What OpenRouter says about a failure, in an answer of its own or in the middle of a stream. */
export const failureReply = z.object({
  error: z.object({
    code: z.union([z.number(), z.string()]).optional().catch(undefined),
    message: z.string().catch(''),
    metadata: z
      .object({
        reasons: list,
        flagged_input: words,
        provider_name: words,
        error_type: words,
        headers: z.record(z.string(), z.unknown()).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    availability: z
      .object({
        code: words,
        fallback_models: list,
        constraint: z.object({ field: words, detail: words }).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
});
export type Failure = z.output<typeof failureReply>['error'];

const said = z.object({ content: words, refusal: words }).optional().catch(undefined);

/** An event of a stream; `message` is what an answer without a stream has. */
export const chunkReply = z.object({
  id: words,
  model: words,
  provider: words,
  choices: z
    .array(z.object({ delta: said, message: said, finish_reason: words }))
    .optional()
    .catch(undefined),
  usage: usageReply.optional().catch(undefined),
  error: failureReply.shape.error.optional().catch(undefined),
});
export type Chunk = z.output<typeof chunkReply>;
