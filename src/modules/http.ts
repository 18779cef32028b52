import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { http as plain, https as secure } from '../kernel/node-http.ts';
import { noteRequest } from './sent.ts';
import type { Tls } from './tls.ts';

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  /** Undefined values are left out; lists repeat the name. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined | readonly string[]>>;
  /** Sent as JSON, or as a form if it is URLSearchParams. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** An answer that is longer is refused. Default 16 MB. */
  readonly mostBytes?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

/** An HTTP service, for modules without a driver. Connections are kept open and closed with it. */
export interface Http extends AsyncDisposable {
  /** The answer as JSON, checked. `path` is below the base and percent-encoded: use `segment`. */
  json<T>(type: z.ZodType<T>, path: string, asked?: Asked): Promise<T>;
  text(path: string, asked?: Asked): Promise<string>;
  /** The answer piece by piece, for logs and events. Ends it when the caller stops reading. */
  stream(path: string, asked?: Asked): Promise<Answered & { readonly body: AsyncIterable<Buffer> }>;
}

/** The service answered, but not with 2xx. Modules turn it into an AppError in `explain`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** What it said, at most 2,000 characters. */
  readonly body: string;
  readonly headers: IncomingMessage['headers'];

  constructor(status: number, body: string, headers: IncomingMessage['headers']) {
    super(`HTTP ${status}: ${body.slice(0, 200)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export interface HttpOptions {
  /** `http://host:port/path`. Credentials in it are sent as a header. */
  readonly base: string;
  /** A socket file to use instead of the host of the base. */
  readonly socketPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: Tls | undefined;
  readonly mostBytes?: number;
  /** How JSON is read and written, for services with numbers that JavaScript has no room for. */
  readonly codec?: Codec;
}

export interface Codec {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

const MOST_BYTES = 16 * 1024 * 1024;
const ERROR_BYTES = 64 * 1024;

/** A part of a path that comes from outside: a name with a slash stays one name, and `..` leads nowhere. */
export function segment(name: string): string {
  const isName = name !== '' && name !== '.' && name !== '..';
  // Half of a character has no encoding.
  if (isName && name.isWellFormed()) return encodeURIComponent(name);
  throw new AppError('invalid_input', `"${name.toWellFormed()}" is not a name.`);
}

export function httpTo({
  base,
  socketPath,
  headers = {},
  tls,
  mostBytes = MOST_BYTES,
  codec = JSON,
}: HttpOptions): Http {
  const root = new URL(base);
  const { request, Agent } = root.protocol === 'https:' ? secure : plain;
  const agent = new Agent({ keepAlive: true, maxSockets: 16, maxFreeSockets: 4, timeout: 5000 });
  const credentials =
    root.username === '' ? {} : { authorization: basic(decoded(root.username), decoded(root.password)) };

  async function send(path: string, { method = 'GET', query = {}, body, headers: more, signal }: Asked) {
    const url = new URL(`${root.pathname.replace(/\/+$/, '')}${path}`, root.origin);
    for (const [name, value] of Object.entries(query))
      for (const one of Array.isArray(value) ? (value as string[]) : [value])
        if (one !== undefined) url.searchParams.append(name, String(one));
    const form = body instanceof URLSearchParams;
    const bytes = body === undefined ? undefined : Buffer.from(form ? body.toString() : codec.stringify(body));
    const sent = request(url, {
      method,
      agent,
      ...(socketPath !== undefined && { socketPath }),
      ...tls,
      ...(signal && { signal }),
      headers: {
        accept: 'application/json',
        'user-agent': 'sluice',
        ...(bytes && {
          'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
          'content-length': bytes.length,
        }),
        ...credentials,
        ...headers,
        ...more,
      },
    });
    noteRequest(sent, method !== 'GET' && method !== 'HEAD');
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
      sent.end(bytes);
    });
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    const said = (await read(response, ERROR_BYTES, () => undefined)) ?? Buffer.alloc(0);
    throw new HttpError(status, said.toString('utf8').slice(0, 2000), response.headers);
  }

  async function text(path: string, asked: Asked = {}): Promise<string> {
    const most = asked.mostBytes ?? mostBytes;
    const response = await send(path, asked);
    const bytes = await read(response, most, () => {
      throw new AppError(
        'too_large',
        `${root.host} answered with more than ${Math.round(most / 1024)} KB. Ask for less.`,
      );
    });
    return (bytes ?? Buffer.alloc(0)).toString('utf8');
  }

  return {
    text,
    async json(type, path, asked) {
      const said = await text(path, asked);
      let read: unknown;
      try {
        read = said === '' ? undefined : codec.parse(said);
      } catch (error) {
        throw unreadable(root, error);
      }
      const parsed = type.safeParse(read);
      if (parsed.success) return parsed.data;
      throw unreadable(root, parsed.error);
    },
    async stream(path, asked = {}) {
      const response = await send(path, asked);
      return { status: response.statusCode ?? 0, headers: response.headers, body: response };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
    },
  };
}

const decoded = (text: string): string => decodeURIComponent(text);

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const unreadable = ({ host }: URL, cause: unknown): AppError =>
  new AppError(
    'unavailable',
    `${host} answered with something else than its API documents. Check that the URL leads to the service itself and not to a proxy or a login page, and that its version is supported.`,
    { cause },
  );

async function read(response: IncomingMessage, most: number, over: () => undefined): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) {
      response.destroy();
      return over();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
