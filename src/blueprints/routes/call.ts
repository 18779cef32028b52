import type { GatewayApi } from '../../gateway/open.ts';
import { denial } from '../../kernel/call.ts';
import { Cancellation } from '../../kernel/cancellation.ts';
import { AppError, toAppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import type { CallContext, Json } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import { code, errorOutcome, isObject } from '../../wire/jsonrpc.ts';
import { LATEST_LEGACY } from '../../wire/versions.ts';
import type { Runtime } from '../runtime.ts';

export interface RoutesDeps {
  open(): Promise<Runtime>;
  readonly gateway: Pick<GatewayApi, 'call' | 'registry'>;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

/** For whom a tool is called; without a request, nobody can give up waiting. */
type Asking = Pick<RouteRequest, 'principal'> & Partial<Pick<RouteRequest, 'request'>>;

/** Calls one of the blueprint tools for a request. Returns its data, or throws what the tool says. */
export type RouteCall = (asked: Asking, tool: string, args: Json, confirm?: string) => Promise<Json>;

/** Rights, limits, confirmation and events are those of the tool: the call takes the path of every call. */
export function routeCall({ gateway, stopping }: Pick<RoutesDeps, 'gateway' | 'stopping'>): RouteCall {
  return async ({ request, principal }, tool, args, confirm) => {
    const known = gateway.registry.find(tool);
    if (!known) throw blueprintsAreOff();
    const stop = new Cancellation();
    const onGone = () => stop.abort(new AppError('cancelled', 'The client closed the connection.'));
    const onStopping = () => stop.abort(toAppError(stopping.reason));
    request?.signal.addEventListener('abort', onGone, { once: true });
    stopping.addEventListener('abort', onStopping, { once: true });
    if (request?.signal.aborted) onGone();
    const context: CallContext = {
      principal,
      stop,
      get signal() {
        return stop.signal;
      },
      trace: traceFrom({
        traceparent: request?.headers.get('traceparent') ?? undefined,
        tracestate: request?.headers.get('tracestate') ?? undefined,
      }),
      client: restClient,
      ...(confirm !== undefined && { confirmToken: confirm }),
      notify() {},
      ask: () => Promise.resolve(errorOutcome(code.methodNotFound, 'A REST client cannot answer questions.')),
    };
    try {
      const outcome = await gateway.call(tool, args, context);
      // A tool that a key may not see does not exist for it. Here its name is no secret: say what the key lacks.
      if (outcome.failed?.code === 'not_found') throw denial(principal, known, args) ?? outcome.failed;
      if (outcome.failed) throw outcome.failed;
      if ('error' in outcome) throw new AppError('internal', outcome.error.message);
      return isObject(outcome.result.structuredContent) ? outcome.result.structuredContent : {};
    } finally {
      request?.signal.removeEventListener('abort', onGone);
      stopping.removeEventListener('abort', onStopping);
    }
  };
}

export const blueprintsAreOff = (): AppError =>
  new AppError(
    'not_found',
    'Blueprints are off. Remove `blueprints: false`, or a server that is called blueprint, from sluice.yaml.',
  );

/** A REST client has no capabilities, so confirmations use a token. */
const restClient = { era: 'legacy', version: LATEST_LEGACY, capabilities: {} } as const;
