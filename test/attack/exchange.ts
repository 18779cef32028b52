import { connect } from 'node:net';
import { type Asked, request } from '../support/raw-http.ts';

/** A request, or bytes that no client would send. */
export type Wire = (Asked | { readonly bytes: string | Buffer }) & {
  /** Stops reading as soon as the answer contains this: for streams, which do not end by themselves. */
  readonly until?: RegExp;
  /** How long the gateway may be silent, if silence is one of the right answers. */
  readonly patience?: number;
  /** The address to send from, if several requests have to come from the same one. */
  readonly from?: string;
};

export interface Reply {
  /** The statuses of all answers on the connection, in order; empty if it was closed without an answer. */
  readonly statuses: readonly number[];
  /** The status of the first answer; 0 if there was none. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The body of the first answer. */
  readonly body: string;
  /** Everything received, including headers. */
  readonly text: string;
}

const SILENCE_MS = 20_000;

/**
 * Writes the bytes and reads until the gateway closes the connection. `from` is the source address: the gateway
 * slows down addresses that fail often, and an attacker has more than one.
 */
export async function exchange(url: string, wire: Wire, from?: string): Promise<Reply> {
  const bytes = 'bytes' in wire ? wire.bytes : request(url, wire);
  const { hostname, port } = new URL(url);
  const { until, patience = SILENCE_MS } = wire;
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, ...(from !== undefined && { localAddress: from }) });
    let read = '';
    const end = () => {
      socket.destroy();
      resolve();
    };
    socket.setTimeout(patience, end);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (!until) return;
      read += chunk.toString('latin1');
      if (until.test(read)) end();
    });
    socket.on('close', end);
    socket.on('error', end);
    socket.write(bytes);
  });
  return readReply(Buffer.concat(chunks));
}

function readReply(bytes: Buffer): Reply {
  const text = bytes.toString('utf8');
  const statuses = [...text.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
  const end = bytes.indexOf('\r\n\r\n');
  const head = (end === -1 ? bytes : bytes.subarray(0, end)).toString('latin1');
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1)) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers.set(key, headers.has(key) ? `${headers.get(key)}\n${value}` : value);
  }
  const rest = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? dechunked(rest) : rest;
  return { statuses, status: statuses[0] ?? 0, headers, body: body.toString('utf8'), text };
}

function dechunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) break;
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

/** The JSON of an answer; undefined if it is not JSON. For an event stream, its last message. */
export function jsonOf({ body, headers }: Reply): Record<string, unknown> | undefined {
  const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
  const text = isStream
    ? body
        .split(/\r?\n/)
        .findLast((line) => line.startsWith('data: {'))
        ?.slice(6)
    : body;
  try {
    const value: unknown = JSON.parse(text ?? '');
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
