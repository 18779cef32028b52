import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { HttpError } from '../http.ts';
import { retryAfter } from '../rate-limited.ts';
import { shortened } from '../shown.ts';
import { type Failure, failureReply } from './replies.ts';

/** Where it happened, for errors. */
export interface Where {
  /** The service with its place: `openrouter at openrouter.ai:443`. */
  readonly at: string;
  /** Where its section is in the file. */
  readonly setting: string;
  /** What was asked for, such as `/models`. */
  readonly path: string;
}

export const CHAT = '/chat/completions';

const MOST = 500;

/** What OpenRouter says in the body; undefined if something else answered, such as a proxy. */
export function failureIn(body: string): Failure | undefined {
  try {
    return failureReply.parse(JSON.parse(body)).error;
  } catch {
    return undefined;
  }
}

/** What OpenRouter, or a proxy before it, says about a request that it refuses. */
export function explain(error: HttpError, where: Where): AppError {
  const { status } = error;
  const { at, setting } = where;
  const failure = failureIn(error.body);
  const made = (code: ErrorCode, text: string) => new AppError(code, text, { cause: error });
  if (status >= 300 && status < 400)
    return made(
      'unavailable',
      `${at} redirects to another address. Set ${setting}.url in sluice.yaml to the address of the API itself, such as https://openrouter.ai/api/v1.`,
    );
  if (failure === undefined && (status === 404 || status === 405))
    return made(
      'unsupported',
      `${at} does not offer ${where.path}. Set ${setting}.url to the API itself, such as https://openrouter.ai/api/v1; other servers have only a part of it.`,
    );
  return new AppError(...explained(status, failure, where), { cause: error });
}

/** A failure with its HTTP status, which may also arrive in the middle of a stream. */
export function explained(status: number, failure: Failure | undefined, where: Where): [ErrorCode, string] {
  const { at, setting, path } = where;
  const said = sentence(failure?.message ?? '');
  // It is about one model: OpenRouter itself works, and nothing was done.
  if (path === CHAT && failure && (status === 502 || status === 503))
    return [
      'rate_limited',
      `${status === 502 ? 'The provider of the model is down' : 'No provider can take the request now'}: ${said} Try again in a moment, or use another model (openrouter_list_models).`,
    ];
  switch (status) {
    case 400:
    case 413:
    case 422:
      return ['invalid_input', `OpenRouter refuses the request: ${said} Change it and try again.`];
    case 401:
      return path === '/credits'
        ? ['forbidden', managementKey(setting)]
        : ['unavailable', `${at} refuses the key (HTTP 401): ${said} Correct ${setting}.apiKey in sluice.yaml.`];
    case 402:
      return [
        'forbidden',
        `The account or the key has too few credits: ${said} Add credits at https://openrouter.ai/settings/credits, raise the limit of the key, or ask for fewer max_tokens.`,
      ];
    case 403:
      return path === '/credits' ? ['forbidden', managementKey(setting)] : ['forbidden', blocked(failure, said)];
    case 404:
      return ['not_found', missing(failure, said)];
    case 408:
    case 504:
      return ['timeout', `${at} gave up waiting for the model: ${said} Ask for less, or try another model.`];
    case 429:
      return ['rate_limited', `${at} limits requests: ${said} Try again later, or use another model.`];
    default:
      return status < 500
        ? ['invalid_input', `${at} refuses the request (HTTP ${status}): ${said}`]
        : ['unavailable', `${at} failed (HTTP ${status}): ${said} Try again in a moment.`];
  }
}

const managementKey = (setting: string): string =>
  `Credits are shown only for a management key, which cannot chat. Create one at https://openrouter.ai/settings/management-keys, and use it in a second section: openrouter-account: { type: openrouter, apiKey: … }. openrouter_get_usage shows what the key of ${setting} has used.`;

/** Moderation says why; a guardrail of the account only that. */
function blocked(failure: Failure | undefined, said: string): string {
  const { reasons = [], flagged_input: flagged, provider_name: provider } = failure?.metadata ?? {};
  if (reasons.length === 0)
    return `OpenRouter does not allow it: ${said} The key may lack the right, or a guardrail of the account blocks it.`;
  const by = provider === undefined ? 'The moderation' : `The moderation of ${shortened(provider, 60)}`;
  const what = flagged === undefined ? '' : ` because of "${shortened(flagged, 120)}"`;
  return `${by} flagged the input${what} (${shortened(reasons.join(', '), 200)}). Rephrase it, or use another model.`;
}

function missing(failure: Failure | undefined, said: string): string {
  const { code, fallback_models: others = [], constraint } = failure?.availability ?? {};
  if (constraint?.field === 'max_price')
    return `No provider serves the model at its listed price now: ${said} Try again later, or use another model (openrouter_list_models).`;
  const instead = others.length > 0 ? ` Use ${shortened(others.slice(0, 3).join(' or '), 200)} instead.` : '';
  const why = code === undefined ? '' : ` (${shortened(code, 60)})`;
  return `OpenRouter does not have it${why}: ${said}${instead || ' openrouter_list_models shows the models.'}`;
}

function sentence(said: string): string {
  const text = shortened(said.trim().replaceAll(/\s+/g, ' '), MOST);
  if (text === '') return 'it gives no reason.';
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** How long to wait in milliseconds, if requests are limited. Free models say only when the limit ends. */
export function waitOf(error: HttpError, now = Date.now()): number | undefined {
  if (error.status !== 429 && error.status !== 503) return undefined;
  const asked = retryAfter(error, now);
  if (error.status === 503 || asked !== undefined) return asked;
  const headers = failureIn(error.body)?.metadata?.headers ?? {};
  const reset = Number(
    error.headers['x-ratelimit-reset'] ?? (Object.hasOwn(headers, RESET) ? headers[RESET] : undefined),
  );
  return Number.isFinite(reset) && reset > 0 ? Math.max(0, reset - now) : USUAL_MS;
}

const RESET = 'X-RateLimit-Reset';
const USUAL_MS = 2000;
