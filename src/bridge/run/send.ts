import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { RawAnswer } from '../../n8n/running/web-answer.ts';
import type { WayRequest } from './ways/way.ts';

/** n8n itself takes no more than this at once. */
const MOST_BYTES = 16 * 1024 * 1024;

const agents = {
  http: new HttpAgent({ keepAlive: true, maxFreeSockets: 32 }),
  https: new HttpsAgent({ keepAlive: true, maxFreeSockets: 32 }),
};

/**
 * Sends a request to what n8n offers to the world, and waits for its answer as long as the signal allows: `fetch` gives
 * up after five minutes. Nothing is sent twice, whatever happens: the workflow may have run.
 */
export async function send(
  client: N8nClient,
  request: WayRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const url = new URL(`${client.url.replace(/\/+$/, '')}${request.path}`);
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
      ...headers,
      ...request.headers,
      ...(bytes && { 'content-type': type, 'content-length': bytes.length }),
    },
  });
  let answered = false;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end(bytes);
    });
    answered = true;
    return { status: response.statusCode ?? 0, headers: headersOf(response), ...(await readSome(response)) };
  } catch (error) {
    if (signal.aborted) throw error;
    throw brokenOff(client, error, answered || sent.reusedSocket || wasSent(error));
  }
}

async function bodyOf({ body, method }: WayRequest): Promise<{ bytes?: Buffer; type?: string }> {
  if (body === undefined || method === 'GET' || method === 'HEAD') return {};
  if (!(body instanceof FormData)) return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
  const form = new Response(body);
  return { bytes: Buffer.from(await form.arrayBuffer()), type: form.headers.get('content-type') as string };
}

function headersOf({ headers }: IncomingMessage): Headers {
  const own = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) own.set(name, String(value));
  return own;
}

async function readSome(response: IncomingMessage): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) {
      response.destroy();
      return { bytes: Buffer.concat(chunks), cut: true };
    }
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}

/** Before there was a connection nothing can have happened. */
function wasSent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function brokenOff({ name, url }: N8nClient, error: unknown, begun: boolean): AppError {
  const why = messageOf(error) || (error instanceof AggregateError ? messageOf(error.errors[0]) : '');
  const text = begun
    ? `n8n (${name}) broke the call off (${why}): it ended or restarted. The workflow may have run in part: n8n_list_executions shows it. To repeat it may act twice.`
    : `n8n (${name}, ${url}) cannot be reached: ${why}. The workflow did not run. Try again once n8n is back.`;
  return new AppError('unavailable', text, { cause: error, data: { n8n: name, begun } });
}
