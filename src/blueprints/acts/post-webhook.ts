import { AppError, messageOf } from '../../kernel/errors.ts';
import { http, https } from '../../kernel/node-http.ts';
import { neverSent } from '../../kernel/unreachable.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import { assertPublicUrl, publicLookup } from '../../wire/url-guard.ts';
import type { Action } from '../definition/shape.ts';
import { isUrl } from '../definition/tool-for.ts';
import type { Act, Acted, Acting } from './act.ts';
import { contextOf } from './context.ts';
import { actedFrom } from './outcome.ts';
import { untilBack } from './until-back.ts';
import { bodyIn } from './web-body.ts';

type Webhook = Extract<Action, { kind: 'webhook' }>;

const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST_WAIT_S = 900;
const LONGEST_ERROR = 300;

/** Calls a URL, or a webhook of n8n by its path. */
export const postWebhook: Act<'webhook'> = async (action, acting, { call }) => {
  const headers = Object.fromEntries(Object.entries(action.headers).map(([name, value]) => [name, asText(value)]));
  if (isUrl(action.webhook)) return postUrl({ ...action, headers }, acting);
  const { webhook, instance, method, body } = action;
  const request = {
    path: webhook.replace(/^\/+(?:webhook\/)?/, ''),
    method,
    headers: { ...headers, 'Idempotency-Key': acting.key },
    ...(body !== undefined && { body }),
    ...(instance !== undefined && { instance }),
    wait_seconds: Math.min(LONGEST_WAIT_S, Math.max(1, Math.ceil(acting.timeoutMs / 1000))),
  };
  const answer = await untilBack(acting, 'change', async () =>
    actedFrom(await call('n8n_trigger_webhook', request, contextOf(acting))),
  );
  if ('error' in answer || !isObject(answer.result)) return answer;
  return judged(Number(answer.result.status), bodyIn(answer.result), acting);
};

async function postUrl({ webhook, method, headers, body }: Webhook, acting: Acting): Promise<Acted> {
  const { key, origin, signal } = acting;
  const mayBeInside = origin === 'file' || origin === 'shipped';
  try {
    const url = mayBeInside ? new URL(webhook) : await assertPublicUrl(webhook);
    const { status, text, bytes } = await send(url, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        'idempotency-key': key,
        'user-agent': 'sluice',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      ...(!mayBeInside && { lookup: publicLookup }),
      signal,
    });
    return judged(status, text === undefined ? { too_large: true, bytes } : parsed(text), acting);
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return { error: inside(webhook), final: true };
    if (error instanceof AppError) return { error: error.message };
    const unsure = !neverSent(error);
    return { error: `${hostOf(webhook)} did not answer: ${messageOf(error)}`, unsure };
  }
}

interface Sending {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly lookup?: typeof publicLookup;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly status: number;
  /** Undefined if it is too large to be kept. */
  readonly text: string | undefined;
  /** As far as it was read. */
  readonly bytes: number;
}

/** Checks TLS; follows no redirect. */
function send(url: URL, { body, ...options }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      ...options,
      headers: { ...options.headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read <= MOST_BYTES) return chunks.push(chunk);
        // It has done what it was asked to do: only its answer is too large.
        resolve({ status: response.statusCode ?? 0, text: undefined, bytes: read });
        return request.destroy();
      });
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), bytes: read }),
      );
      response.once('error', reject);
    });
    request.end(body);
  });
}

function judged(status: number, body: unknown, { mask }: Acting): Acted {
  if (status >= 200 && status < 300) return { result: body };
  // Masked before it is cut: half a secret must not remain.
  const said = mask(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
  const isHopeless = status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status);
  const redirects = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return {
    error: `It answered with status ${status}: ${said.slice(0, LONGEST_ERROR)}${redirects}`,
    ...(isHopeless && { final: true }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A header that is one expression may have become a number or a list. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

/** The guard's own words are about servers that somebody adds. */
const inside = (url: string): string =>
  `${hostOf(url)} is inside this network. Only blueprints in your own files may call it: put this one into a folder of blueprints.folders.`;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'The webhook');
