import type { z } from 'zod';
import { Cancellation } from '../../kernel/cancellation.ts';
import { AppError, toAppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import type { CallContext, Outcome } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import { code, errorOutcome } from '../../wire/jsonrpc.ts';
import { LATEST_LEGACY } from '../../wire/versions.ts';
import { type BackupRoutesDeps, connectedFor } from './deps.ts';
import { takeBody } from './shapes.ts';

const TOOL = 'n8n_backup_instance';

const restClient = { era: 'legacy', version: LATEST_LEGACY, capabilities: {} } as const;

/** POST /api/v1/n8n/backups: rights, limits and events are those of the tool, because it is called like by everybody. */
export async function takeBackup(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const { confirm, ...args } = await argumentsIn(request);
  await connectedFor(deps, principal, TOOL);
  const stop = new Cancellation();
  const onStopping = () => stop.abort(toAppError(deps.stopping.reason));
  deps.stopping.addEventListener('abort', onStopping, { once: true });
  const text = new TextEncoder();
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const tell = (event: string, data: unknown) => {
        const line = deps.redact(JSON.stringify(data));
        if (!isGone) controller.enqueue(text.encode(`event: ${event}\ndata: ${line}\n\n`));
      };
      const context: CallContext = {
        principal,
        stop,
        get signal() {
          return stop.signal;
        },
        trace: traceFrom({ traceparent: request.headers.get('traceparent') ?? undefined }),
        client: restClient,
        ...(confirm !== undefined && { confirmToken: confirm }),
        notify: (_method, { progress, total, message }) => tell('progress', { progress, total, message }),
        ask: () => Promise.resolve(errorOutcome(code.methodNotFound, 'A REST client cannot answer questions.')),
      };
      const outcome = await deps.gateway.call(TOOL, args, context, undefined, { progressToken: TOOL });
      deps.stopping.removeEventListener('abort', onStopping);
      const failure = failureIn(outcome);
      if (failure) tell('failed', { code: failure.code, message: failure.message, ...confirmationOf(failure) });
      else tell('done', 'result' in outcome ? outcome.result.structuredContent : {});
      if (!isGone) controller.close();
    },
    cancel() {
      isGone = true;
      deps.stopping.removeEventListener('abort', onStopping);
      stop.abort(new AppError('cancelled', 'The client closed the connection.'));
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}

type Failure = Pick<AppError, 'code' | 'message' | 'data'>;

function failureIn(outcome: Outcome): Failure | undefined {
  if (outcome.failed) return outcome.failed;
  return 'error' in outcome ? { code: 'internal', message: outcome.error.message, data: undefined } : undefined;
}

/** The token with which the same request is confirmed, and whether a person has to approve it first. */
const confirmationOf = ({ data }: Failure) => ({
  ...(data?.confirm !== undefined && { confirm: data.confirm, waits: data.waits }),
  ...(data?.by !== undefined && { by: data.by }),
});

async function argumentsIn(request: Request): Promise<z.output<typeof takeBody>> {
  const sent = await request.text();
  if (sent === '') return {};
  let given: unknown;
  try {
    given = JSON.parse(sent);
  } catch (cause) {
    throw new AppError('invalid_input', 'The body must be JSON: {"instance": "…"}.', { cause });
  }
  const known = takeBody.safeParse(given);
  if (known.success) return known.data;
  throw new AppError('invalid_input', 'The body must be {"instance": "…"}, with the name of an n8n, or {}.');
}
