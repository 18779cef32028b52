import type { Duplex } from 'node:stream';
import { AppError, type ErrorCode, messageOf } from '../kernel/errors.ts';
import type { Json, Outcome } from '../kernel/source.ts';
import type { WireTool } from '../kernel/source.ts';
import { code, errorOutcome, isObject } from '../wire/jsonrpc.ts';
import type { Link, LinkEvents } from '../wire/link.ts';
import { createMessageReader } from '../wire/message-lines.ts';
import { Upstream } from '../wire/upstream.ts';

/** A command's connection to the gateway: MCP over a socket, or over a pair of streams in the same process. */
export interface GatewayClient extends AsyncDisposable {
  tools(): Promise<WireTool[]>;
  call(name: string, args: Json, options?: CallOptions): Promise<Outcome>;
}

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?(progress: Json): void;
  /** Answers the tool's questions; without it they are refused. */
  onAsk?(method: string, params: Json | undefined, signal: AbortSignal): Promise<Outcome>;
}

const HANDSHAKE_MS = 10_000;

export async function connectClient(stream: Duplex, version: string): Promise<GatewayClient> {
  const upstream = await connect(stream, version).catch((error: unknown) => {
    throw new AppError(
      'unavailable',
      `The gateway does not answer: ${messageOf(error)} Run \`sluice doctor\` to see why.`,
      { cause: error },
    );
  });
  // The gateway has the timeouts.
  const idleMs = Number.POSITIVE_INFINITY;
  return {
    async tools() {
      const answer = await upstream.request('tools/list', {}, { idleMs });
      if ('error' in answer) throw new AppError('internal', answer.error.message);
      return answer.result.tools as WireTool[];
    },
    call(name, args, { signal, onProgress, onAsk = refuse } = {}) {
      return upstream.request(
        'tools/call',
        { name, arguments: args },
        {
          idleMs,
          ...(signal && { stop: signal }),
          progressToken: 'progress',
          onAsk,
          onNotification(method, params) {
            if (method === 'notifications/progress') onProgress?.(params);
          },
        },
      );
    },
    [Symbol.asyncDispose]: () => upstream.close(),
  };
}

function connect(stream: Duplex, version: string): Promise<Upstream> {
  return Upstream.connect({
    open: async (events) => openStreamLink(stream, events),
    client: {
      info: { name: 'sluice-cli', title: 'Sluice command line', version },
      capabilities: { elicitation: { form: {} } },
    },
    timeoutMs: HANDSHAKE_MS,
    prior: 'legacy',
    events: { notification() {}, ask: refuse, noise() {}, closed() {} },
  });
}

async function refuse(method: string): Promise<Outcome> {
  return errorOutcome(code.methodNotFound, `The command line does not do ${method}.`);
}

interface OwnCallOptions extends CallOptions {
  /** The error if there is no such tool, instead of one that names the tool. */
  absent?(): AppError | Promise<AppError>;
}

/** Calls one of Sluice's own tools and returns its structured content. */
export async function callOwn<T>(
  client: GatewayClient,
  name: string,
  args: Json = {},
  { absent, ...options }: OwnCallOptions = {},
): Promise<T> {
  const answer = await client.call(name, args, options);
  // Failures of Sluice's own tools are results; a JSON-RPC error means that the tool is unknown, or a bug.
  if ('error' in answer) {
    const { message } = answer.error;
    if (answer.error.code !== code.invalidParams) throw new AppError('internal', message);
    throw (await absent?.()) ?? new AppError('not_found', message);
  }
  const { isError, content, structuredContent, _meta } = answer.result;
  if (isError === true || !isObject(structuredContent)) {
    const [first] = Array.isArray(content) ? (content as { text?: string }[]) : [];
    throw new AppError(codeIn(_meta), first?.text ?? `${name} gave no answer.`);
  }
  return structuredContent as T;
}

/** `not_found` is left out: here it means that there is no such tool. */
const kept = ['unavailable', 'conflict'] as const;

function codeIn(meta: unknown): ErrorCode {
  const told = isObject(meta) ? meta['sluice/error'] : undefined;
  return kept.find((code) => isObject(told) && told.code === code) ?? 'invalid_input';
}

const FAREWELL_MS = 1000;

function openStreamLink(stream: Duplex, events: LinkEvents): Link {
  const gone = () => events.closed(new AppError('unavailable', 'The gateway closed the connection.'));
  stream.on('data', createMessageReader(events));
  stream.on('error', () => {});
  stream.once('end', gone);
  stream.once('close', gone);
  return {
    kind: 'stdio',
    send: (message) => void stream.write(`${JSON.stringify(message)}\n`),
    drop() {},
    settled() {},
    async close() {
      if (stream.destroyed) return;
      const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
      // Let the last message, such as a cancellation, reach the gateway.
      stream.end(() => stream.destroy());
      const timer = setTimeout(() => stream.destroy(), FAREWELL_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}
