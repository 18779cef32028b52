/** A proxy in front of an S3 that a test can break: request by request, or for good. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Answers a request itself, or breaks it. False leaves it to S3. */
export type Fault = (asked: IncomingMessage, answer: ServerResponse) => boolean;

export interface S3Faults extends AsyncDisposable {
  readonly endpoint: string;
  /** Methods and paths that came here, `PUT /bucket/key?partNumber=1`. */
  readonly seen: string[];
  fault: Fault | undefined;
}

/** The answers of S3 that clients have to expect. */
export const xml =
  (status: number, code: string, more = '', headers: Record<string, string> = {}): Fault =>
  (asked, answer) => {
    asked.resume().once('end', () => {
      answer.writeHead(status, { 'content-type': 'application/xml', ...headers });
      answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>words</Message>${more}</Error>`);
    });
    return true;
  };

/** Ends the connection after a part of the request has arrived. */
export const cut: Fault = (asked) => {
  asked.once('data', () => asked.socket.destroy());
  asked.once('end', () => asked.socket.destroy());
  return true;
};

/** The first requests that match get this fault. */
export function times(count: number, matching: RegExp, fault: Fault): Fault {
  let left = count;
  return (asked, answer) => {
    if (left <= 0 || !matching.test(`${asked.method} ${asked.url}`)) return false;
    left--;
    return fault(asked, answer);
  };
}

/** With a key and its certificate, it speaks TLS. */
export async function faultsBefore(upstream: string, tls?: { key: string; cert: string }): Promise<S3Faults> {
  const { hostname, port } = new URL(upstream);
  const seen: string[] = [];
  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    seen.push(`${asked.method} ${asked.url}`);
    if (faults.fault?.(asked, answer)) return;
    // The signature covers the Host header: pass it on as it is.
    const sent = request({ hostname, port, method: asked.method, path: asked.url, headers: asked.headers });
    sent.once('response', (said) => {
      answer.writeHead(said.statusCode ?? 500, said.headers);
      said.pipe(answer);
    });
    sent.once('error', () => answer.destroy());
    answer.once('close', () => sent.destroy());
    asked.pipe(sent);
  };
  const server = (tls ? createSecureServer(tls, pass) : createServer(pass)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const faults: S3Faults = {
    endpoint: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    fault: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return faults;
}
