import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { createSseReader, type SseEvent } from '../../src/wire/sse.ts';
import type { Json, SendOptions } from '../integration/harness.ts';

/** An event stream read from its bytes, with ids and comments, which the harness's `open` leaves out. */
export interface EventStream extends Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: readonly SseEvent[];
  /** Everything that was received. */
  readonly text: () => string;
  /** The JSON-RPC messages among the events. */
  readonly messages: () => Json[];
  /** How it ended: `cleanly` when the other side finished it, `cut` when the connection broke. */
  readonly ended: Promise<'cleanly' | 'cut'>;
  close(): void;
}

export async function openEvents(url: string, { method, headers = {}, body }: SendOptions = {}): Promise<EventStream> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const type = content === undefined ? {} : { 'content-type': 'application/json' };
    const verb = method ?? (content === undefined ? 'GET' : 'POST');
    const accept = 'application/json, text/event-stream';
    const sent = httpRequest(url, { method: verb, headers: { accept, ...type, ...headers }, agent: false }, resolve);
    sent.on('error', reject);
    sent.end(content);
  });
  const events: SseEvent[] = [];
  let text = '';
  const read = createSseReader({
    limit: 64 * 1024 * 1024,
    onEvent: (event) => void events.push(event),
    onTooLong() {},
  });
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    read(chunk);
  });
  response.on('error', () => {});
  const ended = new Promise<'cleanly' | 'cut'>((resolve) => {
    response.once('close', () => resolve(response.complete ? 'cleanly' : 'cut'));
  });
  const close = () => void response.destroy();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    messages: () => events.filter(({ data }) => data.startsWith('{')).map(({ data }) => JSON.parse(data) as Json),
    ended,
    close,
    [Symbol.dispose]: close,
  };
}
