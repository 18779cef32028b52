import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Progress } from '../../kernel/progress.ts';
import { type Allowed, allowed } from '../allowed.ts';
import { type AtMost, atMost } from '../at-most.ts';
import type { Budget } from '../budget.ts';
import { type Asked, HttpError, httpTo } from '../http.ts';
import type { Around, SettingsOf } from '../module.ts';
import { untilAllowed } from '../rate-limited.ts';
import { CHAT, explain, waitOf } from './explain.ts';
import { type Model, modelsReply } from './replies.ts';
import type { openrouterSettings } from './settings.ts';

/** A server with OpenRouter's API, and what may be asked and spent. */
export interface OpenRouter extends AsyncDisposable {
  /** The source, such as `openrouter`. */
  readonly name: string;
  /** The service with its place. */
  readonly at: string;
  readonly setting: string;
  readonly timeoutMs: number;
  /** For chats that name no model. */
  readonly model: string | undefined;
  /** The longest answer in tokens. */
  readonly maxTokens: number;
  readonly allowed: Allowed;
  /** What chats may cost, as the file says it. */
  readonly limit: { readonly amount: number; readonly per: string };
  readonly budget: Budget;
  readonly places: AtMost;
  ask<T>(type: z.ZodType<T>, path: string, asked: Question): Promise<T>;
  /** All models that may be used, by id. At most a few minutes old. */
  models(signal: AbortSignal, progress?: Progress): Promise<ReadonlyMap<string, Model>>;
  /** One of them. Throws, with the nearest ids, if there is none or it is out of reach. */
  find(id: string, signal: AbortSignal, progress?: Progress): Promise<Model>;
  /** Sends a chat. Errors are those of the connection, unexplained: what they cost depends on them. */
  chat(body: object, signal: AbortSignal): Promise<Streamed>;
  explain(error: HttpError, path: string): AppError;
}

export interface Streamed {
  readonly headers: IncomingMessage['headers'];
  readonly body: AsyncIterable<Buffer>;
}

interface Question extends Pick<Asked, 'query'> {
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
}

/** Prices seldom change, and `max_price` holds OpenRouter to those that are known here. */
const FRESH_MS = 5 * 60_000;

/** They outlive a connection: one that breaks is replaced while chats of the old one still run. */
const places = new WeakMap<object, AtMost>();

export function connectOpenRouter(
  settings: SettingsOf<typeof openrouterSettings>,
  { name, tls, timeoutMs, budget }: Pick<Around, 'name' | 'tls' | 'timeoutMs' | 'budget'>,
): OpenRouter {
  const { url, apiKey, referer, title, budget: limit } = settings;
  const setting = `modules.${name}`;
  const at = `${name} at ${new URL(url).host}`;
  const reach = allowed(settings.models, 'model', `${setting}.models`);
  const http = httpTo({
    base: url,
    tls,
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(referer !== undefined && { 'http-referer': referer }),
      ...(title !== undefined && { 'x-title': title }),
    },
  });
  const ownPlaces = places.get(settings) ?? atMost(settings.concurrency, at, `${setting}.concurrency`);
  places.set(settings, ownPlaces);
  let spending: Budget | undefined;
  let known: { readonly models: ReadonlyMap<string, Model>; readonly until: number } | undefined;

  const explained = (error: HttpError, path: string) => explain(error, { at, setting, path });

  async function ask<T>(type: z.ZodType<T>, path: string, { signal, progress, query = {} }: Question): Promise<T> {
    try {
      return await untilAllowed(() => http.json(type, path, { query, signal }), { at, signal, progress, waitOf });
    } catch (error) {
      throw error instanceof HttpError ? explained(error, path) : error;
    }
  }

  async function models(signal: AbortSignal, progress?: Progress): Promise<ReadonlyMap<string, Model>> {
    if (known && known.until > Date.now()) return known.models;
    const { data } = await ask(modelsReply, '/models', { signal, progress });
    const usable = data.filter(({ id }) => reach.has(id)).map((model) => [model.id, model] as const);
    known = { models: new Map(usable), until: Date.now() + FRESH_MS };
    return known.models;
  }

  return {
    name,
    at,
    setting,
    timeoutMs,
    model: settings.model,
    maxTokens: settings.maxTokens,
    allowed: reach,
    limit,
    // A check from the command line has no store, and needs none.
    get budget() {
      return (spending ??= budget({
        most: limit.amount,
        per: limit.per,
        setting: `${setting}.budget`,
        advice: 'Ask for fewer max_tokens, send less, use a cheaper model (openrouter_list_models)',
      }));
    },
    places: ownPlaces,
    ask,
    models,
    async find(id, signal, progress) {
      reach.need(id);
      const all = await models(signal, progress);
      const found = all.get(id);
      if (found) return found;
      throw new AppError('not_found', `${at} lists no model ${shown(id)}. ${insteadOf(id, all)}`);
    },
    chat: (body, signal) =>
      http.stream(CHAT, { method: 'POST', body, signal, headers: { accept: 'text/event-stream' } }),
    explain(error, path) {
      // The price may have risen: the next chat looks again.
      if (error.status === 404) known = undefined;
      return explained(error, path);
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** A variant such as `:nitro` is not listed: it goes to other providers, whose prices nobody knows beforehand. */
function insteadOf(id: string, all: ReadonlyMap<string, Model>): string {
  const [plain = ''] = id.split(':');
  if (all.has(plain)) return `Without a variant it has a price: use ${plain}.`;
  const near = nearestNames(id, all.keys());
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'openrouter_list_models shows the ids.';
}
