/**
 * OpenRouter, or a fake of it. The fake was written from OpenRouter's OpenAPI description (openapi/openapi.yaml) and its
 * pages on errors, streaming, provider selection, plugins and zero completion insurance (OpenRouterTeam/docs, August
 * 2026). It keeps count of what it charges, and refuses requests that the description does not allow.
 *
 * TEST_OPENROUTER_API_KEY (and TEST_OPENROUTER_URL, TEST_OPENROUTER_MODEL) make the tour use a real account: it costs a
 * few cents at most. Tests that inject faults are skipped then.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const {
  TEST_OPENROUTER_API_KEY: realKey,
  TEST_OPENROUTER_URL: realUrl,
  TEST_OPENROUTER_MODEL: realModel,
} = process.env;

/** A real account, if there is one. */
export const real =
  realKey === undefined
    ? undefined
    : { apiKey: realKey, url: realUrl ?? 'https://openrouter.ai/api/v1', model: realModel ?? 'openai/gpt-4o-mini' };

export const KEY = 'sk-or-v1-fake-0123456789abcdef';
export const MANAGEMENT_KEY = 'sk-or-v1-management-0123456789';

export interface FakeModel {
  id: string;
  pricing: Record<string, unknown>;
  [more: string]: unknown;
}

/** A model as /models lists it. */
export const model = (id: string, pricing: Record<string, unknown>, more: object = {}): FakeModel => ({
  id,
  canonical_slug: id,
  name: id.split('/').at(-1),
  description: `The model ${id}.`,
  created: 1_700_000_000,
  context_length: 128_000,
  architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'], tokenizer: 'GPT' },
  pricing,
  top_provider: { context_length: 128_000, max_completion_tokens: 16_384, is_moderated: false },
  per_request_limits: null,
  supported_parameters: ['max_tokens', 'temperature', 'response_format', 'structured_outputs', 'reasoning'],
  default_parameters: null,
  supported_voices: null,
  expiration_date: null,
  links: { details: `/api/v1/models/${id}/endpoints` },
  ...more,
});

const usualModels: readonly FakeModel[] = [
  model('acme/small', { prompt: '0.0000001', completion: '0.0000004', request: '0', image: '0' }),
  model(
    'acme/large',
    { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', input_cache_write: '0.00000375' },
    { context_length: 1_000_000, created: 1_800_000_000, architecture: architecture(['text', 'image']) },
  ),
  model('acme/free:free', { prompt: '0', completion: '0' }, { supported_parameters: ['max_tokens'] }),
  model(
    'other/newer',
    { prompt: '0.000001', completion: '0.000002' },
    { supported_parameters: ['max_completion_tokens'] },
  ),
  model('other/endless', { prompt: '0.000001', completion: '0.000002' }, { supported_parameters: ['temperature'] }),
  model(
    'acme/pictures',
    { prompt: '0.000001', completion: '0.000002', image_output: '0.04' },
    { architecture: architecture(['text'], ['text', 'image']) },
  ),
  model('perplexity/sonar', { prompt: '0.000001', completion: '0.000001', request: '0.005', web_search: '0.005' }),
  model('openrouter/auto', { prompt: '-1', completion: '-1' }),
];

function architecture(reads: readonly string[], writes: readonly string[] = ['text']): object {
  return { modality: `${reads.join('+')}->${writes.join('+')}`, input_modalities: reads, output_modalities: writes };
}

const message = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1) });
const price = z.string().regex(/^\d+(?:\.\d+)?$/);

/** Of ChatRequest, what a chat with text may have. */
const chatRequest = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  response_format: z
    .strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject({
        name: z.string().max(64),
        strict: z.boolean(),
        schema: z.record(z.string(), z.unknown()),
      }),
    })
    .optional(),
  reasoning: z
    .strictObject({ effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']), exclude: z.boolean() })
    .optional(),
  provider: z
    .strictObject({
      require_parameters: z.boolean().optional(),
      max_price: z
        .strictObject({ prompt: price, completion: price, request: price, image: price, audio: price })
        .partial()
        .optional(),
    })
    .optional(),
  plugins: z
    .array(z.strictObject({ id: z.enum(['web', 'file-parser', 'response-healing']), enabled: z.boolean() }))
    .optional(),
});
export type ChatRequest = z.output<typeof chatRequest>;

/** How the fake answers a chat. */
export interface Answer {
  /** A character is a token. It is cut at the limit of the request. */
  readonly text?: string;
  /** Tokens it thinks first. They count as output. */
  readonly reasoning?: number;
  /** Waits for this before it goes on after the first piece. */
  readonly until?: Promise<unknown>;
  /** Ends so after the text: an error in the stream, the connection cut, no usage, a stream without a mark at its end. */
  readonly ends?: 'error' | 'cut' | 'no usage' | 'early';
  /** More of `usage`. */
  readonly usage?: object;
  /** Replaces the code of an error in the stream. */
  readonly code?: number;
}

type Fault = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface FakeOpenRouter extends AsyncDisposable {
  readonly url: string;
  /** What all chats did cost, in US dollars. */
  charged(): number;
  /** The chats that were accepted. */
  readonly chats: ChatRequest[];
  /** Paths of all requests, with their method. */
  readonly seen: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Chats whose connection was closed before the answer was complete. */
  cancelled(): number;
  /** How many chats ran at the same time at most. */
  busiest(): number;
  models: readonly FakeModel[];
  answer: (request: ChatRequest) => Answer;
  /** Answers the next requests whose path begins so; without faults, as usual again. */
  fail(path: string, ...faults: Fault[]): void;
}

export const failure = (
  response: ServerResponse,
  code: number,
  said: string,
  more: object = {},
  headers: object = {},
) => {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { code, message: said, ...more } }));
};

export async function fakeOpenRouter(): Promise<FakeOpenRouter> {
  const faults = new Map<string, Fault[]>();
  const generations = new Map<string, object>();
  let charged = 0;
  let cancelled = 0;
  let running = 0;
  let busiest = 0;

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => failure(response, 500, String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://fake');
    const path = url.pathname.replace(/^\/api\/v1/, '');
    const said: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) said.push(chunk);
    fake.seen.push(`${request.method} ${path}`);
    fake.headers.push(request.headers);
    const prefix = [...faults.keys()].find((one) => path.startsWith(one) && (faults.get(one)?.length ?? 0) > 0);
    const fault = prefix === undefined ? undefined : faults.get(prefix)?.shift();
    if (fault) return void (await fault(request, response));
    const json = (value: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const isPublic = path === '/models' || path === '/providers' || path.endsWith('/endpoints');
    if (!isPublic && key === undefined) return failure(response, 401, 'Missing Authentication header');
    if (!isPublic && key !== KEY && key !== MANAGEMENT_KEY) return failure(response, 401, 'User not found.');
    const route = `${request.method} ${path}`;
    if (route === 'GET /models') return json({ data: fake.models });
    if (route === 'GET /key')
      return json({
        data: {
          label: `${key?.slice(0, 12)}...${key?.slice(-3)}`,
          usage: charged,
          usage_daily: charged,
          usage_weekly: charged,
          usage_monthly: charged,
          limit: 100,
          limit_remaining: 100 - charged,
          limit_reset: null,
          is_free_tier: false,
          is_management_key: key === MANAGEMENT_KEY,
          expires_at: null,
          rate_limit: { requests: -1, interval: '10s', note: 'This field is deprecated and safe to ignore.' },
        },
      });
    if (route === 'GET /credits')
      return key === MANAGEMENT_KEY
        ? json({ data: { total_credits: 100.5, total_usage: 25.75 } })
        : failure(response, 403, 'Only management keys can perform this operation');
    if (route === 'GET /generation') {
      const found = generations.get(url.searchParams.get('id') ?? '');
      return found
        ? json({ data: found })
        : failure(response, 404, `Generation ${url.searchParams.get('id')} not found`);
    }
    if (route === 'GET /providers') return json({ data: providers });
    const endpoints = /^GET \/models\/([^/]+)\/([^/]+)\/endpoints$/.exec(route);
    if (endpoints) {
      const id = `${decodeURIComponent(endpoints[1] ?? '')}/${decodeURIComponent(endpoints[2] ?? '')}`;
      const found = fake.models.find((one) => one.id === id);
      return found ? json({ data: { ...found, endpoints: endpointsOf(found) } }) : failure(response, 404, 'Not Found');
    }
    if (route !== 'POST /chat/completions') return failure(response, 404, 'Not Found');
    if (request.headers['content-type']?.startsWith('application/json') !== true)
      return failure(response, 400, 'Content-Type must be application/json');
    const parsed = chatRequest.safeParse(JSON.parse(Buffer.concat(said).toString()));
    if (!parsed.success) return failure(response, 400, `Invalid request: ${z.prettifyError(parsed.error)}`);
    await chat(parsed.data, response);
  }

  async function chat(asked: ChatRequest, response: ServerResponse): Promise<void> {
    const wanted = fake.models.find(({ id }) => id === asked.model);
    if (!wanted) return failure(response, 400, `${asked.model} is not a valid model ID`);
    const { max_price: limit, require_parameters: strict } = asked.provider ?? {};
    const priceOf = (name: string) => Number(wanted.pricing[name] ?? 0);
    const tooDear = (['prompt', 'completion'] as const).find(
      (name) => limit?.[name] !== undefined && priceOf(name) * 1e6 > Number(limit[name]) + 1e-9,
    );
    if (tooDear)
      return failure(response, 404, 'No endpoints found that satisfy max_price', {
        availability: {
          code: 'constraint_filtered',
          retryable: false,
          constraint: { field: 'max_price', detail: tooDear },
        },
      });
    const sent = ['max_tokens', 'max_completion_tokens', 'temperature', 'response_format', 'reasoning'] as const;
    const missing = sent.find(
      (name) => asked[name] !== undefined && !(wanted.supported_parameters as string[]).includes(name),
    );
    if (strict && missing) return failure(response, 404, `No endpoints found that support ${missing}`);
    fake.chats.push(asked);
    running += 1;
    busiest = Math.max(busiest, running);
    const { text = 'It is 42.', reasoning = 0, until, ends, usage: more = {}, code = 502 } = fake.answer(asked);
    // A provider that does not know the limit ignores it.
    const most = (missing === undefined ? (asked.max_tokens ?? asked.max_completion_tokens) : undefined) ?? Infinity;
    const thought = Math.min(reasoning, most);
    const written = text.slice(0, Math.max(0, most - thought));
    const id = `gen-${generations.size + 1}-${Math.random().toString(36).slice(2, 10)}`;
    const prompt = tokensIn(asked);
    const completion = thought + written.length;
    const cost =
      priceOf('request') +
      prompt * Math.max(priceOf('prompt'), priceOf('input_cache_write'), priceOf('input_cache_write_1h')) +
      written.length * priceOf('completion') +
      thought * Math.max(priceOf('completion'), priceOf('internal_reasoning'));
    const finish = written.length < text.length ? 'length' : 'stop';
    const common = {
      id,
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: asked.model,
      provider: 'Acme',
    };
    const event = (value: object) => response.write(`data: ${JSON.stringify({ ...common, ...value })}\n\n`);
    const piece = (content: string, finish_reason: string | null = null) =>
      event({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }] });
    let isOpen = true;
    response.once('close', () => {
      if (isOpen) cancelled += 1;
      isOpen = false;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-generation-id': id });
    response.write(': OPENROUTER PROCESSING\n\n');
    if (ends !== 'error') charged += cost;
    const third = Math.ceil(written.length / 3);
    if (written !== '') piece(written.slice(0, third));
    await until;
    for (let at = third; at < written.length; at += third) {
      if (response.closed) break;
      response.write(': OPENROUTER PROCESSING\n\n');
      piece(written.slice(at, at + third));
    }
    running -= 1;
    generations.set(id, {
      id,
      model: asked.model,
      provider_name: 'Acme',
      created_at: '2026-11-16T12:00:00.000Z',
      total_cost: cost,
      usage: cost,
      upstream_inference_cost: null,
      is_byok: false,
      cancelled: !isOpen,
      streamed: true,
      finish_reason: finish,
      native_tokens_prompt: prompt,
      native_tokens_completion: completion,
      native_tokens_reasoning: thought,
      native_tokens_cached: 0,
      latency: 120,
      generation_time: 900,
    });
    if (!isOpen) return;
    isOpen = false;
    if (ends === 'cut') return void response.destroy();
    if (ends === 'error') {
      const error = { code, message: 'Provider disconnected', metadata: { error_type: 'provider_unavailable' } };
      event({ error, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] });
      return void response.end();
    }
    if (ends === 'early') return void response.end();
    piece('', finish);
    const details = {
      completion_tokens_details: { reasoning_tokens: thought },
      prompt_tokens_details: { cached_tokens: 0 },
    };
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      cost,
      is_byok: false,
    };
    if (ends !== 'no usage') event({ choices: [], usage: { ...usage, ...details, ...more } });
    response.end('data: [DONE]\n\n');
  }

  const fake: FakeOpenRouter = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    charged: () => charged,
    cancelled: () => cancelled,
    busiest: () => busiest,
    chats: [],
    seen: [],
    headers: [],
    models: usualModels,
    answer: () => ({}),
    fail(path, ...more) {
      faults.set(path, more.length === 0 ? [] : [...(faults.get(path) ?? []), ...more]);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

/** The worst that a tokenizer does: a token for each byte, what it adds to each message, and a system prompt of its own. */
function tokensIn({ messages, response_format: format }: ChatRequest): number {
  const schema = format ? Buffer.byteLength(JSON.stringify(format.json_schema.schema, null, 2)) : 0;
  const texts = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content.normalize('NFKC')) + 8, 0);
  return 300 + texts + schema;
}

const endpointsOf = ({ id, pricing }: FakeModel) =>
  ['Acme', 'Beta', 'Gamma'].map((provider, index) => ({
    name: `${provider} | ${id}`,
    model_id: id,
    model_name: id,
    provider_name: provider,
    tag: provider.toLowerCase(),
    context_length: 128_000,
    max_completion_tokens: index === 0 ? null : 8192,
    max_prompt_tokens: null,
    quantization: index === 0 ? 'unknown' : 'fp8',
    pricing,
    status: 0,
    supported_parameters: ['max_tokens'],
    uptime_last_30m: index === 2 ? null : 99.87,
    latency_last_30m: { p50: 321.4, p75: 400, p90: 500, p99: 900 },
    throughput_last_30m: null,
  }));

const providers = Array.from({ length: 70 }, (_, index) => ({
  slug: `provider-${index}`,
  name: `Provider ${index}`,
  headquarters: index % 2 === 0 ? 'DE' : 'US',
  datacenters: index % 3 === 0 ? null : ['US', 'IE'],
  privacy_policy_url: `https://provider-${index}.example.com/privacy`,
  terms_of_service_url: null,
  status_page_url: null,
}));
