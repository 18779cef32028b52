import { performance } from 'node:perf_hooks';
import type { Stop } from '../kernel/cancellation.ts';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { CallContext, Json } from '../kernel/source.ts';
import type { Trace } from '../kernel/trace.ts';
import { redactError } from '../kernel/redact.ts';
import type { PassedOn, Tracer } from '../kernel/tracing.ts';
import { needsLogin } from '../wire/credentials.ts';
import { code, errorOutcome, isObject } from '../wire/jsonrpc.ts';
import { buildParamHeaders, type ParamHeader } from '../wire/param-headers.ts';
import type { Answer } from '../wire/service.ts';
import { isOver } from '../wire/task-calls.ts';
import type { Upstream } from '../wire/upstream.ts';
import type { Backend } from './backends/backend.ts';
import { answerFor, answerRounds, askClient, paramsFor } from './era.ts';
import type { Lane } from './backends/lane.ts';
import { logLevels } from './log-levels.ts';
import type { StateSeal } from './sealed-state.ts';
import { askToSignIn, type SignIn } from './backends/sign-in.ts';
import { renameTask, type TaskIndex, taskIn } from './tasks.ts';

export interface Relayed {
  method: string;
  /** With the backend's own names. */
  params: Json;
  /** The tool, prompt or URI that the request is about. Request state is sealed for it. */
  name: string;
  /** May safely run twice, so another replica or URL may retry it. */
  idempotent: boolean;
  paramHeaders?: readonly ParamHeader[];
  /** The connection it must use, as long as that connection exists. */
  lane?: Lane | undefined;
  /** The task it is about, by its server's own id. */
  task?: string;
  /** How long the server may be silent; default: the server's `callTimeout`. */
  idleMs?: number;
  /** Called with the connection that served it. */
  servedBy?(lane: Lane): void;
}

/** One call, over all of its attempts. */
interface Run {
  readonly tried: Lane[];
  /** Whether the last attempt may have reached the server. */
  sent: boolean;
  /** Whether the connection ended during the last attempt. */
  broke: boolean;
  /** The most progress that the client was told. */
  progress: number;
}

export type Relay = (backend: Backend, request: Relayed, context: CallContext) => Promise<Answer>;

/** Passes requests on to backends: names, ids and tokens change on the way, nothing else. */
export function createRelay(options: {
  seal: StateSeal;
  clientInfo: Json;
  tasks: Pick<TaskIndex, 'at'>;
  tracer?: Tracer | undefined;
  signIn(): SignIn | undefined;
}): Relay {
  return async (backend, request, context) => {
    const started = performance.now();
    const bound = request.lane && backend.lanes.leaseAgain(request.lane);
    let lease = bound ?? backend.lanes.lease(context);
    const run: Run = { tried: [], sent: false, broke: false, progress: Number.NEGATIVE_INFINITY };
    try {
      for (;;) {
        try {
          return await attempt(backend, request, context, lease.lane, run);
        } catch (thrown) {
          const error = toAppError(thrown);
          run.tried.push(lease.lane);
          const other = stopOf(context).aborted ? undefined : next(error);
          if (!other) throw error;
          lease.release();
          lease = other;
        }
      }
    } catch (thrown) {
      const error = toAppError(thrown);
      const signIn = options.signIn();
      const outcome = signIn && needsLogin(error) ? await askToSignIn(signIn, backend, context, error) : error;
      if (outcome === 'signed in') return await attempt(backend, request, context, lease.lane, run);
      const { withRemedy } = await import('./remedy.ts');
      const told = new AppError(outcome.code, `${backend.name}: ${withRemedy(outcome, run.broke)}`, {
        cause: error,
        ...dataOf(outcome, run.sent),
      });
      // What it gave a single caller's connection is no secret of the configuration.
      throw redactError(told, backend.given.redact);
    } finally {
      lease.release();
      backend.latencies.add(performance.now() - started);
    }

    /** Where to send the call next, if that is harmless. */
    function next(error: AppError) {
      const notRun = error.data?.notExecuted === true;
      const unsent =
        !run.sent && error.code === 'unavailable' && performance.now() - started < backend.settings.timeout;
      if (!notRun && !unsent && !(request.idempotent && isRepeatable(error))) return undefined;
      if (!bound) return backend.lanes.leaseOther(context, run.tried, notRun);
      return run.tried.length === 1 && !unsent ? bound : undefined;
    }
  };

  async function attempt(
    backend: Backend,
    request: Relayed,
    context: CallContext,
    lane: Lane,
    run: Run,
  ): Promise<Answer> {
    run.sent = false;
    run.broke = false;
    lane.calls++;
    let own: Upstream | undefined;
    let upstream: Upstream | undefined;
    let step: ReturnType<Tracer['passesOn']> | undefined;
    try {
      own = await lane.ready(stopOf(context));
      upstream = (backend.wantsLegacy(own, context.client) && (await lane.legacy(stopOf(context)))) || own;
      if (upstream.ended) throw upstream.ended;
      run.sent = true;
      step = options.tracer?.passesOn(passedOn(backend, request, lane, upstream), context);
      const answer = await send(backend, request, context, lane, upstream, run, step?.trace);
      step?.ended(answer);
      lane.succeeded();
      request.servedBy?.(lane);
      return answer;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!run.sent || !own || !upstream) throw error;
      step?.ended(error);
      run.broke = upstream.kind !== 'stdio' && thrown === upstream.ended;
      if (error.code === 'timeout' || error.code === 'unavailable') lane.strike(error);
      if (lane.url !== undefined && isUnreachable(error)) lane.unreachable(own, error);
      throw error;
    } finally {
      lane.calls--;
    }
  }

  async function send(
    backend: Backend,
    request: Relayed,
    context: CallContext,
    lane: Lane,
    upstream: Upstream,
    run: Run,
    trace?: Trace,
  ): Promise<Answer> {
    const { handshake } = upstream;
    const { client } = context;
    const owner = {
      backend: backend.name,
      principal: context.principal.id,
      method: request.method,
      name: request.name,
    };
    if (client.era === 'modern' && client.logLevel !== undefined) await backend.raiseLogLevel(client.logLevel);
    const params = paramsFor(handshake, request.params, context, options.clientInfo, trace);
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
        holder: context,
        idleMs: request.idleMs ?? backend.settings.callTimeout,
        ...(progressToken !== undefined && { progressToken }),
        ...(request.task !== undefined && { task: request.task }),
        ...(upstream.kind === 'http' && {
          headers: {
            ...traceHeaders(params._meta as Json),
            ...(handshake.era === 'modern' && context.paramHeaders),
            ...(handshake.era === 'modern' &&
              request.paramHeaders &&
              buildParamHeaders(request.paramHeaders, params.arguments)),
          },
        }),
        onNotification: (method, sent) => {
          if (method === 'notifications/progress' && !advances(run, sent)) return;
          if (method !== 'notifications/message' || wantsLog(context, sent))
            context.notify(method, exposed(backend, lane, sent, context));
        },
        onAsk: async (method, asked, signal) => {
          const shown = asked && exposed(backend, lane, asked, context);
          const outcome = await askClient(context, method, shown, signal);
          if (shown === asked || !asked || !shown || 'error' in outcome) return outcome;
          return { result: renameTask(outcome.result, String(taskIn(shown)), String(taskIn(asked))) };
        },
      });
    let answer = await ask();
    if (
      client.era === 'modern' &&
      'error' in answer &&
      answer.error.code === code.urlElicitationLegacy &&
      (await opened(answer.error.data, context))
    ) {
      // The server has done nothing yet: it wanted the user to visit a page first.
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
    if (request.task !== undefined && 'result' in answer)
      if (request.method === 'tasks/result' || isOver(answer.result.status)) upstream.taskEnded(request.task);
    const told = answerFor(client, handshake, request.method, answer);
    return backend.settings.redactErrors ? backend.given.withoutIn(told) : told;
  }

  /** A server's message about a task, with the id that clients know. */
  function exposed(backend: Backend, lane: Lane, said: Json, { principal }: CallContext): Json {
    const own = taskIn(said);
    if (own === undefined) return said;
    return renameTask(said, own, options.tasks.at(backend, lane, own, principal.id)?.id ?? own);
  }
}

/** The trace as headers, for proxies in front of the server that only look at HTTP. */
function traceHeaders({ traceparent, tracestate }: Json): Record<string, string> {
  // Our traceparent is well-formed; a client's tracestate may be anything.
  return typeof tracestate === 'string' && /^[\x20-\x7e]{1,512}$/.test(tracestate)
    ? { traceparent: traceparent as string, tracestate }
    : { traceparent: traceparent as string };
}

function passedOn(
  { name: backend, settings: { transport } }: Backend,
  request: Relayed,
  { url }: Lane,
  upstream: Upstream,
): PassedOn {
  return {
    backend,
    method: request.method,
    name: request.name,
    transport: upstream.kind,
    version: upstream.handshake.version,
    ...('url' in transport && { url: url ?? transport.url }),
  };
}

/** The server, or a proxy in front of it, could not be reached, or the connection broke. */
function isUnreachable({ code: kind, data, cause }: AppError): boolean {
  if (kind !== 'unavailable') return false;
  if (data?.status !== undefined) return data.status === 502 || data.status === 503 || data.status === 504;
  return data?.notExecuted !== undefined || (cause instanceof Error && 'code' in cause && !(cause instanceof AppError));
}

/** Another server may do better. To a request that one server refuses (HTTP 4xx), the others say the same. */
function isRepeatable({ code: kind, data }: AppError): boolean {
  const status = typeof data?.status === 'number' ? data.status : 500;
  return kind === 'unavailable' && (status >= 500 || status === 429);
}

/** Progress must increase: the second attempt of a call begins again. */
function advances(run: Run, { progress }: Json): boolean {
  if (typeof progress !== 'number') return true;
  if (run.tried.length > 0 && progress <= run.progress) return false;
  run.progress = Math.max(run.progress, progress);
  return true;
}

/** The signal that cancels a call. */
const stopOf = (context: CallContext): Stop => context.stop ?? context.signal;

/** A 2025 server sends an error to demand that a page is visited. Asks a 2026 client to; true if it agreed to all. */
async function opened(data: unknown, context: CallContext): Promise<boolean> {
  const pages = isObject(data) && Array.isArray(data.elicitations) ? data.elicitations.filter(isObject) : [];
  for (const { elicitationId: _, ...page } of pages) {
    const outcome = await askClient(context, 'elicitation/create', { ...page, mode: 'url' });
    if ('error' in outcome || outcome.result.action !== 'accept') return false;
  }
  return pages.length > 0;
}

/** A 2026 client gets only logs it asked for; a 2025 client gets all until it sets a level. */
function wantsLog({ client }: CallContext, params: Json): boolean {
  const wanted = client.logLevel;
  if (wanted === undefined) return client.era === 'legacy';
  const level = typeof params.level === 'string' ? params.level : '';
  return logLevels.indexOf(level) >= logLevels.indexOf(wanted);
}

/** The URIs that a result links to, so that a later read finds their backend. */
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

/** Says of a call that got no answer whether it was given away: then it may have run. */
function dataOf({ code, data }: AppError, wasSent: boolean): { data?: Record<string, unknown> } {
  if (code !== 'unavailable' && code !== 'timeout') return data ? { data } : {};
  return { data: { ...data, notExecuted: data?.notExecuted ?? !wasSent } };
}
