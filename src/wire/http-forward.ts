import { randomUUID } from 'node:crypto';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../kernel/errors.ts';
import type { Peers, Replica } from '../kernel/shared.ts';
import {
  digestOf,
  FORWARDED,
  type Forwarded,
  forwardedHeader,
  readForwarded,
  REMEMBERED_MS,
} from './forwarded-header.ts';
import { type Inbound, readBody, refuse } from './http-inbound.ts';
import type { ForwardOptions, HttpPeers } from './http-peers.ts';
import { code } from './jsonrpc.ts';
import { createOnce } from './once.ts';
import type { PeerRequests } from './peer-requests.ts';
import { sseComment } from './sse.ts';

export interface Forwarding extends HttpPeers, Disposable {
  /** Who forwarded a request to us; 'invalid' if the header is not one that a replica signed a moment ago. */
  forwarded(request: IncomingMessage): Forwarded | 'invalid' | undefined;
  problems(): readonly string[];
}

export interface ForwardingDeps {
  /** The address of a client that connects to us. */
  addressOf(request: IncomingMessage): string;
  /** Whether this replica is about to stop. */
  isStopping(): boolean;
  /** How long to wait for a connection; default 3 s. */
  connectMs?: number;
  /** How often to look whether the owners of requests in progress are alive; default 3 s. */
  lookMs?: number;
}

/** A session id is `<replica>.<uuid>`, the token of a parked call `p.<replica>.<uuid>`. */
const OWNED = /^(?:p\.)?([A-Za-z0-9]{1,64})\.[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** These belong to one connection, not to the request. `expect` was answered when the body was asked for. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  FORWARDED,
]);

const BROKE_OFF =
  'The replica that has this session broke off before it answered. The request may have been carried out: check before you send it again. If the session is gone, initialize again.';

/** Sends requests for sessions of other replicas to them, as they came. */
export function createForwarding(peers: Peers, requests: PeerRequests, deps: ForwardingDeps): Forwarding {
  const { connectMs = 3000, lookMs = 3000 } = deps;
  const isNew = createOnce(REMEMBERED_MS);
  const claims = new WeakMap<IncomingMessage, Forwarded | 'invalid'>();
  const open = new Set<{ owner: string; end(reason?: AppError): void }>();
  const misled = new Set<string>();

  // TCP takes minutes to notice that a machine is gone.
  const look = setInterval(() => {
    if (open.size === 0) return;
    const alive = new Set(peers.all().map(({ id }) => id));
    for (const one of open) if (!alive.has(one.owner)) one.end();
  }, lookMs);
  look.unref();

  function forwarded(request: IncomingMessage): Forwarded | 'invalid' | undefined {
    const header = request.headers[FORWARDED];
    if (header === undefined) return undefined;
    const known = claims.get(request);
    if (known !== undefined) return known;
    const claim = (typeof header === 'string' && readForwarded(peers, request, header, isNew)) || 'invalid';
    claims.set(request, claim);
    return claim;
  }

  async function forward(inbound: Inbound, owner: string, options: ForwardOptions): Promise<boolean> {
    const { request, response } = inbound;
    let url: string | undefined;
    try {
      url = (await peers.find(owner))?.url;
    } catch {
      const message = 'The store cannot be reached, so the replica of this session is unknown. Try again.';
      refuse(response, 503, { code: code.server, message });
      return true;
    }
    // One that is dead may have had the address at which we are now.
    if (url !== undefined && forwarded(request) !== undefined) {
      misled.add(owner);
      const message = `This request is for replica ${owner}, but arrived at ${peers.self}. Set SLUICE_PEER_URL of each replica to an address that leads to it alone.`;
      refuse(response, 502, { code: code.server, message });
      return true;
    }
    if (response.closed) return true;
    if (url === undefined) return false;
    // It is signed as a whole. The owner needs it whole, too.
    const body = options.body ?? (await readBody(inbound, options.limit));
    return body === undefined || response.closed || pass(inbound, owner, new URL(url), { ...options, body });
  }

  function pass(
    { request, response }: Inbound,
    owner: string,
    target: URL,
    options: ForwardOptions & { body: Buffer },
  ): Promise<boolean> {
    const { method, url } = request;
    const { body } = options;
    const headers = headersFor(request, options);
    headers[FORWARDED] = forwardedHeader(peers, { method, url, headers, body }, owner, deps.addressOf(request));
    const sent = requests.begin(target, { method, path: url, headers });
    return new Promise((resolve) => {
      let connected = false;
      let answer: IncomingMessage | undefined;
      const one = {
        owner,
        end(reason?: AppError) {
          if (answer) return cut(answer, response, reason?.message ?? 'The replica of this session is gone.');
          refuse(response, 503, { code: code.server, message: reason?.message ?? BROKE_OFF });
          sent.destroy();
        },
      };
      open.add(one);
      const done = (answered: boolean) => {
        open.delete(one);
        resolve(answered);
      };
      whenConnected(sent, target.protocol === 'https:', connectMs, () => {
        connected = true;
      });
      sent.on('response', (begun) => {
        answer = begun;
        const isStream = begin(begun, response);
        // A stream of its own may last for ever. It is no request in progress, and its replica counts it as a stream.
        if (isStream && request.method === 'GET') resolve(true);
      });
      sent.on('error', () => {
        if (answer || response.headersSent || response.destroyed) return;
        if (!connected) done(false);
        else refuse(response, 502, { code: code.server, message: BROKE_OFF });
      });
      response.once('close', () => {
        sent.destroy();
        done(true);
      });
      sent.end(body);
    });
  }

  return {
    newId: () => `${peers.self}.${randomUUID()}`,
    ownerOf(id) {
      const owner = typeof id === 'string' ? OWNED.exec(id)?.[1] : undefined;
      return owner === peers.self ? undefined : owner;
    },
    successor(request) {
      if (!deps.isStopping() || forwarded(request) !== undefined) return undefined;
      const goesOn = ({ id, url, draining, report }: Replica) =>
        id !== peers.self && url !== undefined && !draining && report.state !== 'starting';
      return peers.all().find(goesOn)?.id;
    },
    isAsRead(request, body) {
      const claim = forwarded(request);
      return typeof claim !== 'object' || claim.body === undefined || claim.body === digestOf(body);
    },
    forward,
    forwarded,
    problems() {
      // Another address is another replica: it takes a restart.
      const alive = new Set(peers.all().map(({ id }) => id));
      for (const owner of misled) if (!alive.has(owner)) misled.delete(owner);
      return [...misled].map(
        (owner) =>
          `Requests for replica ${owner} arrived at replica ${peers.self}. Set SLUICE_PEER_URL of each replica to an address that leads to it alone.`,
      );
    },
    end(reason) {
      for (const one of open) one.end(reason);
    },
    [Symbol.dispose]() {
      clearInterval(look);
    },
  };
}

function headersFor(
  request: IncomingMessage,
  { body, withoutSession }: ForwardOptions & { body: Buffer },
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const named = new Set(request.headers.connection?.toLowerCase().split(/[\s,]+/));
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (hopByHop.has(name) || named.has(name) || (withoutSession && name === 'mcp-session-id')) continue;
    headers[name] = values.length === 1 ? (values[0] as string) : values;
  }
  if (body.length > 0) headers['content-length'] = String(body.length);
  return headers;
}

function whenConnected(sent: ClientRequest, secure: boolean, ms: number, connected: () => void): void {
  sent.on('socket', (socket) => {
    if (!socket.connecting) return connected();
    const late = setTimeout(() => sent.destroy(new Error('No connection.')), ms);
    socket.once('close', () => clearTimeout(late));
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(late);
      connected();
    });
  });
}

/** Passes the answer on as it comes. Returns whether it is an event stream. */
function begin(answer: IncomingMessage, response: ServerResponse): boolean {
  const headers: Record<string, string | string[]> = {};
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    if (!hopByHop.has(name)) headers[name] = values.length === 1 ? (values[0] as string) : values;
  }
  if (response.headersSent || response.destroyed) {
    answer.destroy();
    return false;
  }
  response.writeHead(answer.statusCode ?? 502, headers);
  response.flushHeaders();
  if (isEventStream(answer)) answer.on('data', (chunk: Buffer) => void lastBytes.set(answer, chunk.subarray(-2)));
  answer.pipe(response);
  answer.on('error', () => {});
  answer.once('close', () => {
    if (!answer.complete) cut(answer, response, 'The replica of this session broke off.');
  });
  return isEventStream(answer);
}

/** The last bytes of each event stream: after half an event, a comment would change what the client reads. */
const lastBytes = new WeakMap<IncomingMessage, Buffer>();

/** Ends an answer that will not be complete: a stream with a comment that says why, anything else by closing. */
function cut(answer: IncomingMessage, response: ServerResponse, why: string): void {
  if (response.writableEnded || response.destroyed) return;
  answer.unpipe(response);
  if (!isEventStream(answer)) response.destroy();
  else if (lastBytes.get(answer)?.toString() === '\n\n') response.end(sseComment(why));
  else response.end();
  answer.destroy();
}

const isEventStream = ({ headers }: IncomingMessage) => headers['content-type']?.includes('text/event-stream') ?? false;
