import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import { fileTrouble } from '../../../kernel/file-errors.ts';
import { late } from '../../../kernel/late.ts';
import { http, https } from '../../../kernel/node-http.ts';
import { isPem } from '../../../kernel/pem.ts';
import { backoff, retryAfterMs } from '../../../kernel/retry.ts';
import { failureAt } from '../../../kernel/unreachable.ts';
import { refusal, S3Error, type Spot } from './explain.ts';
import type { S3Settings } from './settings.ts';

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Without one, the request is about the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal | undefined;
  /** What the request is for, for messages: `write`. */
  readonly doing: string;
}

export interface S3Client extends Disposable {
  readonly spot: Spot;
  /** Sends a request, and uses its answer, until both succeed, fail for good, or were tried often enough. */
  ask<T>(request: S3Request, use: (answer: IncomingMessage) => Promise<T>): Promise<T>;
  /** Explains an error of a connection. */
  explained(error: unknown, signal?: AbortSignal): AppError;
}

type Address = Pick<S3Settings, 'endpoint' | 'region' | 'bucket' | 'pathStyle'>;

export interface Patience {
  /** How long nothing may happen on a connection. */
  readonly idleMs: number;
  readonly attempts: number;
  readonly wait: { readonly first: number; readonly most: number };
}

const PATIENCE: Patience = { idleMs: 30_000, attempts: 4, wait: { first: 300, most: 8_000 } };
const ERROR_BYTES = 64 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_SOCKETS = 40;

/** Requests to one bucket, signed with Signature Version 4. */
export function s3Client(settings: S3Settings, { idleMs, attempts, wait }: Patience = PATIENCE): S3Client {
  const root = rootOf(settings);
  const { request, Agent } = root.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_SOCKETS, maxFreeSockets: 4 });
  const spot: Spot = { at: `S3 at ${root.host}`, bucket: settings.bucket };
  /** Keys that were derived from the secret, by day. */
  const derived = new Map<string, ArrayBuffer>();
  const authority = late(() => certificate(settings.ca));

  async function once({ method, key, query = {}, headers = {}, body, signal, doing }: S3Request) {
    const url = urlOf(root, key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The derived keys are for one day each.
    if (derived.size > 4) derived.clear();
    const { accessKeyId, secretAccessKey, sessionToken, region } = settings;
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      // S3 compares this with what arrives, so damage on the way is noticed.
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
      cache: derived,
    }).sign();
    const ca = await authority();
    const sent = request(signed.url, {
      method,
      agent,
      headers: {
        'user-agent': 'sluice',
        ...Object.fromEntries(signed.headers),
        ...((body || method === 'PUT' || method === 'POST') && { 'content-length': body?.length ?? 0 }),
      },
      ...(ca !== undefined && { ca }),
      ...(signal && { signal }),
    });
    sent.setTimeout(idleMs, () => {
      sent.destroy(Object.assign(new Error(`no answer within ${idleMs / 1000} s`), { code: 'ETIMEDOUT' }));
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
      sent.end(body);
    });
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    throw Object.assign(refusal(spot, { status, headers: answer.headers, body: await beginningOf(answer), doing }), {
      retryAfter: answer.headers['retry-after'],
    });
  }

  async function ask<T>(asked: S3Request, use: (answer: IncomingMessage) => Promise<T>): Promise<T> {
    const { signal } = asked;
    for (let attempt = 1; ; attempt++) {
      try {
        return await use(await once(asked));
      } catch (error) {
        const isPassing = error instanceof S3Error ? error.isPassing : !(error instanceof AppError);
        if (signal?.aborted || !isPassing || attempt >= attempts) throw explained(error, signal);
        const told = retryAfterMs((error as { retryAfter?: string }).retryAfter ?? '');
        await delay(Math.min(told ?? backoff(attempt, wait), wait.most), undefined, { signal }).catch((reason) => {
          throw explained(reason, signal);
        });
      }
    }
  }

  function explained(error: unknown, signal?: AbortSignal): AppError {
    if (signal?.aborted) {
      if ((signal.reason as Error | undefined)?.name !== 'TimeoutError')
        return new AppError('cancelled', 'The call was cancelled.', { cause: error });
      return new AppError('timeout', `${spot.at} did not answer in time. Try again later.`, { cause: error });
    }
    if (error instanceof AppError) return error;
    return (
      failureAt(spot.at, 'backups.s3', error) ??
      new AppError('unavailable', `${spot.at} cannot be reached: ${messageOf(error)}.`, { cause: error })
    );
  }

  return { spot, ask, explained, [Symbol.dispose]: () => agent.destroy() };
}

/** Answers that are not objects. */
export async function textIn(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new AppError('too_large', 'S3 answered with more than it ever does.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The URL of the bucket. */
export function rootOf({ endpoint, region, bucket, pathStyle }: Address): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
  const isAws = /\.amazonaws\.com(?:\.cn)?$/.test(url.hostname);
  const path = url.pathname.replace(/\/+$/, '');
  url.search = '';
  url.username = '';
  url.password = '';
  // A certificate for *.s3.amazonaws.com does not cover a bucket with a dot, and a host name has no capitals.
  if (pathStyle ?? (!isAws || !/^[a-z0-9-]+$/.test(bucket))) url.pathname = `${path}/${bucket}`;
  else {
    url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = path;
  }
  return url;
}

/** The URL of an object, or of the bucket. */
export function urlOf(root: URL, key: string | undefined): URL {
  const url = new URL(root);
  if (key !== undefined) url.pathname = `${root.pathname.replace(/\/$/, '')}/${encodedKey(key)}`;
  return url;
}

/** As Signature Version 4 writes it: everything but letters, digits and `-._~` is encoded. */
const encodedKey = (key: string): string =>
  key
    .split('/')
    .map((part) =>
      encodeURIComponent(part.toWellFormed()).replace(
        /[!'()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');

async function certificate(given: string | undefined): Promise<string | undefined> {
  if (given === undefined || isPem(given)) return given;
  return readFile(given, 'utf8').catch((error: unknown) => {
    throw new AppError('unavailable', `backups.s3.ca: ${given} ${fileTrouble(error)}. Correct the path.`, {
      cause: error,
    });
  });
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > ERROR_BYTES) break;
    }
  } catch {
    // The status is enough.
  }
  return Buffer.concat(chunks).toString('utf8');
}
