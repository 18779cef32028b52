import { Cancellation } from '../../kernel/cancellation.ts';
import { AppError, toAppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import type { CallContext, Json, Outcome } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import { code, errorOutcome, isObject } from '../../wire/jsonrpc.ts';
import { LATEST_LEGACY } from '../../wire/versions.ts';
import { type BackupRoutesDeps, connectedFor } from './deps.ts';

const TOOL = 'n8n_backup_instance';

const restClient = { era: 'legacy', version: LATEST_LEGACY, capabilities: {} } as const;

/** POST /api/v1/n8n/backups: rights, limits and events are those of the tool, because it is called like by everybody. */
export async function takeBackup(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const args = await argumentsIn(request);
  await connectedFor(deps, principal, TOOL);
  const stop = new Cancellation();
  const onStopping = () => stop.abort(toAppError(deps.stopping.reason));
  deps.stopping.addEventListener('abort', onStopping, { once: true });
  const text = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const tell = (event: string, data: unknown) => {
        if (!stop.aborted) controller.enqueue(text.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      const context: CallContext = {
        principal,
        stop,
        get signal() {
          return stop.signal;
        },
        trace: traceFrom({ traceparent: request.headers.get('traceparent') ?? undefined }),
        client: restClient,
        notify: (_method, { progress, total, message }) => tell('progress', { progress, total, message }),
        ask: () => Promise.resolve(errorOutcome(code.methodNotFound, 'A REST client cannot answer questions.')),
      };
      const outcome = await deps.gateway.call(TOOL, args, context, undefined, { progressToken: TOOL });
      deps.stopping.removeEventListener('abort', onStopping);
      const failure = failureIn(outcome);
      if (failure) tell('failed', { code: failure.code, message: failure.message });
      else tell('done', 'result' in outcome ? outcome.result.structuredContent : {});
      if (!stop.aborted) controller.close();
    },
    cancel() {
      deps.stopping.removeEventListener('abort', onStopping);
      stop.abort(new AppError('cancelled', 'The client closed the connection.'));
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}

function failureIn(outcome: Outcome): Pick<AppError, 'code' | 'message'> | undefined {
  if (outcome.failed) return outcome.failed;
  return 'error' in outcome ? { code: 'internal', message: outcome.error.message } : undefined;
}

async function argumentsIn(request: Request): Promise<Json> {
  const sent = await request.text();
  if (sent === '') return {};
  let given: unknown;
  try {
    given = JSON.parse(sent);
  } catch (cause) {
    throw new AppError('invalid_input', 'The body must be JSON: {"instance": "…"}.', { cause });
  }
  if (
    isObject(given) &&
    Object.keys(given).every((key) => key === 'instance') &&
    typeof (given.instance ?? '') === 'string'
  )
    return given;
  throw new AppError('invalid_input', 'The body must be {"instance": "…"}, with the name of an n8n, or {}.');
}
