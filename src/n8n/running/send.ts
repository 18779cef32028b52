import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { RawAnswer } from './web-answer.ts';
import { bodiless, type WebRequest } from './web-request.ts';

/**
 * n8n closes a connection after five idle seconds. A request on a connection that n8n is just closing looks as if n8n had
 * gone away in the middle of a run, so connections are not reused after one idle second.
 */
const pool = { keepAlive: true, maxFreeSockets: 32, timeout: 1000 };
const agents = { http: new HttpAgent(pool), https: new HttpsAgent(pool) };

/**
 * Sends a request and waits for its answer as long as the signal allows: `fetch` gives up after five minutes. Nothing is
 * sent twice, whatever happens: the workflow may have run.
 */
export async function send(
  base: string,
  request: WebRequest,
  mostBytes: number,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const url = new URL(`${base.replace(/\/+$/, '')}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.append(name, value);
  const { bytes, type } = await bodyOf(request);
  const secure = url.protocol === 'https:';
  const sent = (secure ? httpsRequest : httpRequest)(url, {
    method: request.method,
    agent: secure ? agents.https : agents.http,
    signal,
    headers: {
      accept: '*/*',
      'user-agent': 'sluice',
      ...(bytes && { 'content-type': type }),
      ...lowerCased(request.headers),
      ...(bytes && { 'content-length': bytes.length }),
    },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(bytes);
  });
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    ...(await readSome(response, mostBytes)),
  };
}

/** A header that the caller gives replaces ours, however it is written. */
const lowerCased = (headers: WebRequest['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

async function bodyOf({ body, method }: WebRequest): Promise<{ bytes?: Buffer; type?: string }> {
  if (body === undefined || bodiless.has(method)) return {};
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'text/plain;charset=UTF-8' };
  if (!(body instanceof FormData)) return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
  const form = new Response(body);
  return { bytes: Buffer.from(await form.arrayBuffer()), type: form.headers.get('content-type') as string };
}

function headersOf({ headers }: IncomingMessage): Headers {
  const own = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) own.set(name, String(value));
  return own;
}

async function readSome(response: IncomingMessage, most: number): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) {
      response.destroy();
      return { bytes: Buffer.concat(chunks), cut: true };
    }
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}
