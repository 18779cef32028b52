import { performance } from 'node:perf_hooks';
import type { Stop } from '../kernel/cancellation.ts';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { CallContext, Json } from '../kernel/source.ts';
import { code, errorOutcome, isObject } from '../wire/jsonrpc.ts';
import { buildParamHeaders, type ParamHeader } from '../wire/param-headers.ts';
import type { Answer } from '../wire/service.ts';
import type { Upstream } from '../wire/upstream.ts';
import type { Backend } from './backend.ts';
import { answerFor, answerRounds, askClient, paramsFor } from './era.ts';
import type { Lane } from './lane.ts';
import { logLevels } from './log-levels.ts';
import type { StateSeal } from './sealed-state.ts';

export interface Relayed {
  method: string;
  /** In the backend's own names. */
  params: Json;
  /** What the request is about, for the state it may leave with the client: a tool, a prompt, a URI. */
  name: string;
  /** May run twice without harm, so another replica may take over. */
  idempotent: boolean;
  paramHeaders?: readonly ParamHeader[];
  /** The connection it has to go by, as long as there is that one. */
  lane?: Lane | undefined;
  /** Told which connection served it. */
  servedBy?(lane: Lane): void;
}

export type Relay = (backend: Backend, request: Relayed, context: CallContext) => Promise<Answer>;

/** Passes requests on to backends: names, ids and tokens change on the way, nothing else. */
export function createRelay(options: { seal: StateSeal; clientInfo: Json }): Relay {
  return async (backend, request, context) => {
    const started = performance.now();
    const bound = request.lane && backend.lanes.leaseAgain(request.lane);
    const lease = bound ?? backend.lanes.lease(context);
    try {
      return await attempt(backend, request, context, lease.lane).catch(async (thrown: unknown) => {
        const error = toAppError(thrown);
        const safe =
          error.data?.notExecuted === true ||
          (request.idempotent && error.code === 'unavailable' && backend.settings.replicas > 1);
        if (!safe || stopOf(context).aborted) throw error;
        const other = bound ?? backend.lanes.lease(context, lease.lane);
        try {
          return await attempt(backend, request, context, other.lane);
        } finally {
          other.release();
        }
      });
    } catch (thrown) {
      const error = toAppError(thrown);
      throw new AppError(error.code, `${backend.name}: ${error.message}`, {
        cause: error,
        ...(error.data && { data: error.data }),
      });
    } finally {
      lease.release();
      backend.latencies.add(performance.now() - started);
    }
  };

  async function attempt(backend: Backend, request: Relayed, context: CallContext, lane: Lane): Promise<Answer> {
    const upstream = await lane.ready(stopOf(context));
    try {
      const answer = await send(backend, request, context, upstream);
      lane.succeeded();
      request.servedBy?.(lane);
      return answer;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'timeout' || error.code === 'unavailable') lane.strike(error.message);
      throw error;
    }
  }

  async function send(backend: Backend, request: Relayed, context: CallContext, upstream: Upstream): Promise<Answer> {
    const { handshake } = upstream;
    const { client } = context;
    const owner = {
      backend: backend.name,
      principal: context.principal.id,
      method: request.method,
      name: request.name,
    };
    if (client.era === 'modern' && client.logLevel !== undefined) await backend.raiseLogLevel(client.logLevel);
    const params = paramsFor(handshake, request.params, context, options.clientInfo);
    if (handshake.era === 'modern' && client.era === 'modern' && typeof params.requestState === 'string') {
      const state = options.seal.open(owner, params.requestState);
      if (state === undefined)
        return errorOutcome(
          code.invalidParams,
          'Invalid params: requestState was altered, or belongs to another call.',
        );
      params.requestState = state;
    }
    const progressToken = (params._meta as Json).progressToken as string | number | undefined;
    const ask = (more?: Json) =>
      upstream.request(request.method, more ? { ...params, ...more } : params, {
        owner: client.session ?? context.trace.spanId,
        stop: stopOf(context),
        idleMs: backend.settings.callTimeout,
        ...(progressToken !== undefined && { progressToken }),
        ...(handshake.era === 'modern' &&
          upstream.kind === 'http' && {
            headers: {
              ...context.paramHeaders,
              ...(request.paramHeaders && buildParamHeaders(request.paramHeaders, params.arguments)),
            },
          }),
        onNotification: (method, sent) => {
          if (method !== 'notifications/message' || wantsLog(context, sent)) context.notify(method, sent);
        },
        onAsk: (method, asked, signal) => askClient(context, method, asked, signal),
      });
    let answer = await ask();
    if (
      client.era === 'modern' &&
      'error' in answer &&
      answer.error.code === code.urlElicitationLegacy &&
      (await opened(answer.error.data, context))
    ) {
      // The server did nothing yet: it wanted a page to be visited first.
      answer = await ask();
    }
    if (handshake.era === 'modern' && 'result' in answer && answer.result.resultType === 'input_required') {
      if (client.era === 'legacy') {
        answer = await answerRounds(answer, context, (inputResponses, requestState) =>
          ask({ inputResponses, ...(requestState !== undefined && { requestState }) }),
        );
      } else if (typeof answer.result.requestState === 'string') {
        answer = { result: { ...answer.result, requestState: options.seal.seal(owner, answer.result.requestState) } };
      }
    }
    return answerFor(client, handshake, request.method, answer);
  }
}

/** What takes a call back. */
const stopOf = (context: CallContext): Stop => context.stop ?? context.signal;

/** 2025 servers demand visits to a page by an error; a 2026 client is asked for them. Whether it agreed to all. */
async function opened(data: unknown, context: CallContext): Promise<boolean> {
  const pages = isObject(data) && Array.isArray(data.elicitations) ? data.elicitations.filter(isObject) : [];
  for (const { elicitationId: _, ...page } of pages) {
    const outcome = await askClient(context, 'elicitation/create', { ...page, mode: 'url' });
    if ('error' in outcome || outcome.result.action !== 'accept') return false;
  }
  return pages.length > 0;
}

/** A 2026 client gets no log it did not ask for; a 2025 client gets all until it sets a level. */
function wantsLog({ client }: CallContext, params: Json): boolean {
  const wanted = client.logLevel;
  if (wanted === undefined) return client.era === 'legacy';
  return logLevels.indexOf(String(params.level)) >= logLevels.indexOf(wanted);
}

/** URIs a result points to, so that a later read of one finds the backend it came from. */
export function linkedUris(result: Json): string[] {
  const uris: string[] = [];
  if (Array.isArray(result.content)) {
    for (const block of result.content) {
      if (!isObject(block)) continue;
      if (block.type === 'resource_link' && typeof block.uri === 'string') uris.push(block.uri);
      else if (block.type === 'resource' && isObject(block.resource) && typeof block.resource.uri === 'string')
        uris.push(block.resource.uri);
    }
  }
  const ui = isObject(result._meta) && isObject(result._meta.ui) ? result._meta.ui.resourceUri : undefined;
  if (typeof ui === 'string') uris.push(ui);
  return uris;
}

/** The task a result announces, in either era's form. */
export function taskIn(result: Json): string | undefined {
  if (result.resultType === 'task' && typeof result.taskId === 'string') return result.taskId;
  return isObject(result.task) && typeof result.task.taskId === 'string' ? result.task.taskId : undefined;
}
