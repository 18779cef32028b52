import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { segment } from '../../http.ts';
import { shortened } from '../../shown.ts';
import { perMillion } from '../price.ts';
import { type Endpoint, endpointsReply, type Model } from '../replies.ts';
import { chatPrices } from '../request.ts';
import { modelOutput, shownModel, shownPrices } from '../shown-model.ts';
import { modelInput, openrouterTool, pricesOutput } from '../tool.ts';

const providerOutput = z.object({
  provider: z.string(),
  price: pricesOutput.optional(),
  context: z.number().optional(),
  max_output: z.number().optional(),
  quantization: z.string().optional(),
  uptime: z.number().optional().describe('Percent of the last 30 minutes'),
  latency_ms: z.number().optional(),
  tokens_per_second: z.number().optional(),
});

export const getModel = openrouterTool({
  name: 'openrouter_get_model',
  title: 'Get a model',
  description: 'A model with all its prices, limits and parameters, and the providers that serve it.',
  phrases:
    'what does this model cost; context length of a model; which providers serve this model; does it support tools; details of a model; fastest provider',
  effect: 'read',
  input: z.strictObject({ model: modelInput }),
  output: modelOutput.extend({
    description: z.string().optional(),
    created: z.string().optional(),
    expires: z.string().optional().describe('It may be removed after this day'),
    max_output: z.number().optional().describe('Longest answer in tokens'),
    parameters: z.array(z.string()).describe('What requests may set'),
    prices: z
      .record(z.string(), z.number())
      .describe('All prices: for a million tokens, or for each request, image or search'),
    chat: z.string().optional().describe('Why openrouter_chat cannot use it'),
    providers: z.array(providerOutput),
    more_providers: z.int().optional(),
  }),
  async run({ model: id }, openrouter, { signal }, progress) {
    const model = await openrouter.find(id, signal, progress);
    const [author = '', ...slug] = model.id.split('/');
    const path = `/models/${segment(author)}/${segment(slug.join('/'))}/endpoints`;
    const { data } = await openrouter.ask(endpointsReply, path, { signal, progress });
    const known = detailsOf(model);
    const providers = data.endpoints.slice(0, 50).map(shownEndpoint);
    const page = providers.slice(0, fittingItems(providers, known));
    const more = data.endpoints.length - page.length;
    return { ...known, providers: page, ...(more > 0 && { more_providers: more }) };
  },
});

function detailsOf(model: Model) {
  const refusal = refusalOf(model);
  const most = model.top_provider.max_completion_tokens;
  return {
    ...shownModel(model),
    ...(model.description !== undefined && { description: shortened(model.description, 500) }),
    ...(model.created !== undefined && model.created > 0 && model.created < 1e11 && { created: dayOf(model.created) }),
    ...(model.expiration_date !== undefined && { expires: shortened(model.expiration_date, 30) }),
    ...(most !== undefined && { max_output: most }),
    parameters: model.supported_parameters.slice(0, 40).map((one) => shortened(one, 30)),
    prices: Object.fromEntries(pricesIn(model)),
    ...(refusal !== undefined && { chat: refusal }),
  };
}

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

const FOR_ONE = new Set(['request', 'image', 'image_output', 'web_search']);

function pricesIn({ pricing }: Model): [string, number][] {
  return Object.entries(pricing)
    .flatMap(([name, given]): [string, number][] => {
      const price = typeof given === 'string' ? Number(given) : Number.NaN;
      return price > 0 ? [[shortened(name, 40), FOR_ONE.has(name) ? price : perMillion(price)]] : [];
    })
    .slice(0, 20);
}

function refusalOf(model: Model): string | undefined {
  try {
    chatPrices(model, 0);
    return undefined;
  } catch (error) {
    return error instanceof Error ? shortened(error.message, 300) : undefined;
  }
}

function shownEndpoint(endpoint: Endpoint): z.output<typeof providerOutput> {
  const price = shownPrices(endpoint.pricing);
  const { context_length: context, max_completion_tokens: most, quantization, uptime_last_30m: uptime } = endpoint;
  const latency = endpoint.latency_last_30m?.p50;
  const speed = endpoint.throughput_last_30m?.p50;
  return {
    provider: shortened(endpoint.tag ?? endpoint.provider_name, 80),
    ...(price && { price }),
    ...(context !== undefined && { context }),
    ...(most !== undefined && { max_output: most }),
    ...(quantization !== undefined && quantization !== 'unknown' && { quantization: shortened(quantization, 30) }),
    ...(uptime !== undefined && { uptime: Math.round(uptime * 10) / 10 }),
    ...(latency !== undefined && { latency_ms: Math.round(latency) }),
    ...(speed !== undefined && { tokens_per_second: Math.round(speed) }),
  };
}
