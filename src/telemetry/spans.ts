import {
  type Attributes,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type TraceState,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { CallEnd, CallObserver } from '../kernel/call.ts';
import { AppError } from '../kernel/errors.ts';
import type { CallContext, Json, Outcome } from '../kernel/source.ts';
import { childOf, type Trace } from '../kernel/trace.ts';
import type { Tracer } from '../kernel/tracing.ts';

export interface SpanDeps {
  /** Receives a span that has ended. */
  ended(span: ReadableSpan): void;
  isSampled(trace: Trace): boolean;
  redact(text: string): string;
  readonly resource: ReadableSpan['resource'];
  readonly scope: ReadableSpan['instrumentationScope'];
}

/**
 * Spans by OpenTelemetry's semantic conventions for MCP: SERVER for a client's request, with the span id its call
 * already has, and CLIENT for a request to a backend. Attributes are an allow-list: no arguments, no results, no error
 * texts.
 */
export function createSpans(deps: SpanDeps): Tracer & { readonly observer: CallObserver } {
  /** Spans of requests in progress, so that more can be added later. A WeakMap would be ten times slower. */
  const serving = new Map<Trace, OpenSpan>();

  function open(spanKind: SpanKind, name: string, trace: Trace, attributes: Attributes): OpenSpan {
    return new OpenSpan(deps, spanKind, name, trace, attributes);
  }

  return {
    serves({ id, method, params }, { trace, client, paramHeaders }) {
      if (!deps.isSampled(trace)) return ignore;
      const span = open(SpanKind.SERVER, method, trace, {
        'mcp.method.name': method,
        ...((typeof id === 'string' || typeof id === 'number') && { 'jsonrpc.request.id': String(id) }),
        ...(client.version !== '' && { 'mcp.protocol.version': client.version }),
        ...(client.session !== undefined && { 'mcp.session.id': client.session }),
        // Only HTTP has headers. Among lasting connections, stdio is recognized by its name.
        ...(paramHeaders
          ? { 'network.transport': 'tcp', 'network.protocol.name': 'http' }
          : client.session === 'stdio' && { 'network.transport': 'pipe' }),
        ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
        ...uriIn(params, deps.redact),
      });
      serving.set(trace, span);
      return (outcome) => {
        serving.delete(trace);
        // Our method names are few. A name that a client made up, which ends in an error, could be anything.
        if ('unknownMethod' in outcome) span.rename('unknown method');
        else if (!('error' in outcome) && span.target === undefined) span.aim(method, params?.name);
        span.end(outcome);
      };
    },
    passesOn({ backend, method, name, transport, version, url }, { trace }) {
      if (!deps.isSampled(trace)) return { trace: trace.sampled ? { ...trace, sampled: false } : trace, ended: ignore };
      const child = childOf(trace, true);
      const span = open(SpanKind.CLIENT, method, child, {
        'mcp.method.name': method,
        'mcp.protocol.version': version,
        'sluice.backend': backend,
        'network.transport': transport === 'stdio' ? 'pipe' : 'tcp',
        ...(url !== undefined && addressOf(url)),
        ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
        ...(method.startsWith('resources/') && uriIn({ uri: name }, deps.redact)),
      });
      span.aim(method, name);
      return { trace: child, ended: (outcome) => span.end(outcome) };
    },
    observer: {
      begins({ name, source }, _, context: CallContext) {
        const { trace } = context;
        let span = serving.get(trace);
        const own = span === undefined;
        if (!span) {
          // A call without a request: one of our own.
          if (!deps.isSampled(trace)) return undefined;
          span = open(SpanKind.INTERNAL, 'execute_tool', trace, { 'gen_ai.operation.name': 'execute_tool' });
        }
        const followed = span;
        followed.aim(own ? 'execute_tool' : 'tools/call', name);
        followed.attributes['sluice.source'] = source;
        return ({ reason, outcome }: CallEnd) => {
          if (reason !== undefined) followed.attributes['sluice.reason'] = deps.redact(reason);
          if (own) followed.end(outcome);
        };
      },
    },
  };
}

const ignore = (): void => {};
const none: never[] = [];

class OpenSpan implements ReadableSpan {
  name: string;
  target: string | undefined;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly resource: ReadableSpan['resource'];
  readonly instrumentationScope: ReadableSpan['instrumentationScope'];
  readonly startTime: HrTime = now();
  endTime: HrTime = this.startTime;
  duration: HrTime = [0, 0];
  status: ReadableSpan['status'] = { code: SpanStatusCode.UNSET };
  ended = false;
  readonly links = none;
  readonly events = none;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly #trace: Trace;
  readonly #finish: SpanDeps['ended'];

  constructor(deps: SpanDeps, spanKind: SpanKind, name: string, trace: Trace, attributes: Attributes) {
    this.kind = spanKind;
    this.name = name;
    this.attributes = attributes;
    this.resource = deps.resource;
    this.instrumentationScope = deps.scope;
    this.#trace = trace;
    this.#finish = deps.ended;
  }

  spanContext(): SpanContext {
    const { traceId, spanId, tracestate } = this.#trace;
    return {
      traceId,
      spanId,
      traceFlags: TraceFlags.SAMPLED,
      ...(tracestate !== undefined && { traceState: stateOf(tracestate) }),
    };
  }

  get parentSpanContext(): SpanContext | undefined {
    const { traceId, parentId } = this.#trace;
    if (parentId === undefined) return undefined;
    return { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: this.kind !== SpanKind.CLIENT };
  }

  rename(method: string): void {
    this.name = method;
    this.attributes['mcp.method.name'] = method;
  }

  /** Sets what the request is about. It becomes part of the span name if the values are few. */
  aim(method: string, target: unknown): void {
    if (typeof target !== 'string') return;
    const attribute = method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name';
    if (method !== 'prompts/get' && method !== 'tools/call' && method !== 'execute_tool') return;
    this.target = target;
    this.attributes[attribute] = target;
    this.name = `${method} ${target}`;
  }

  end(outcome: Outcome | AppError): void {
    if (this.ended) return;
    this.ended = true;
    this.endTime = now();
    this.duration = between(this.startTime, this.endTime);
    const type = errorTypeOf(outcome);
    if (type !== undefined) {
      // A URI that does not exist may be any text that somebody wrote.
      delete this.attributes['mcp.resource.uri'];
      this.attributes['error.type'] = type;
      this.status = { code: SpanStatusCode.ERROR };
    }
    if (!(outcome instanceof AppError) && 'error' in outcome)
      this.attributes['rpc.response.status_code'] = String(outcome.error.code);
    this.#finish(this);
  }
}

function errorTypeOf(outcome: Outcome | AppError): string | undefined {
  if (outcome instanceof AppError) return outcome.code;
  if (outcome.failed?.code === 'confirmation_required') return undefined;
  if ('error' in outcome) return String(outcome.error.code);
  return outcome.result.isError === true ? 'tool_error' : undefined;
}

/** The URI without its query, which may contain anything. */
function uriIn(params: Json | undefined, redact: (text: string) => string): Attributes {
  return typeof params?.uri === 'string' ? { 'mcp.resource.uri': redact(params.uri.split('?', 1)[0] as string) } : {};
}

const addresses = new Map<string, Attributes>();

function addressOf(url: string): Attributes {
  let known = addresses.get(url);
  if (!known) {
    const { hostname, port, protocol } = new URL(url);
    known = { 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) };
    addresses.set(url, known);
  }
  return known;
}

// Passed on unchanged: nothing here reads it.
function stateOf(text: string): TraceState {
  const state: TraceState = { serialize: () => text, get: () => undefined, set: () => state, unset: () => state };
  return state;
}

function now(): HrTime {
  const ms = performance.timeOrigin + performance.now();
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

function between([fromSeconds, fromNanos]: HrTime, [toSeconds, toNanos]: HrTime): HrTime {
  const nanos = toNanos - fromNanos;
  return nanos < 0 ? [toSeconds - fromSeconds - 1, nanos + 1e9] : [toSeconds - fromSeconds, nanos];
}
