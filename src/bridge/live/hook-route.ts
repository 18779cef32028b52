import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { BridgeEvents } from '../facts.ts';
import { createHookCheck } from './hook-signature.ts';

const EVENT_EVERY_MS = 60_000;

const hookShape = z.object({
  event: z.string().max(100),
  /** Absent if it is not about a single workflow, for example for a tag. */
  workflow: z.string().min(1).max(64).nullish(),
});

export interface HookDeps {
  readonly events: BridgeEvents;
  /** Known instances. The secret of any other is not looked up. */
  names(): readonly string[];
  secret(instance: string): Promise<string>;
  told(instance: string, workflow: string | undefined): void;
}

export type HookReceiver = ReturnType<typeof createHookReceiver>;

/** Receives the posts of n8n's hook file. They only trigger a scan: the change itself is read from n8n. */
export function createHookReceiver(deps: HookDeps, now: () => number = Date.now) {
  const check = createHookCheck(now);
  const refusals = new Map<string, { at: number; times: number }>();

  /** Anybody can send wrong hooks, so record at most one event a minute, with a count. */
  function refused(instance: string, reason: string): void {
    const known = refusals.get(instance);
    if (known && now() - known.at < EVENT_EVERY_MS) {
      known.times++;
      return;
    }
    deps.events.record({ type: 'bridge.hook_refused', instance, reason, times: (known?.times ?? 0) + 1 });
    refusals.set(instance, { at: now(), times: 0 });
  }

  return async (instance: string, request: Request): Promise<Response> => {
    if (!deps.names().includes(instance)) {
      throw new AppError('not_found', `No n8n of this name is configured. \`sluice n8n hook\` writes the right URL.`);
    }
    const body = await request.text();
    const reason = check(await deps.secret(instance), {
      timestamp: request.headers.get('x-sluice-timestamp'),
      signature: request.headers.get('x-sluice-signature'),
      body,
    });
    if (reason !== undefined) {
      refused(instance, reason);
      throw new AppError(
        'unauthenticated',
        `The hook was rejected: ${reason}. \`sluice n8n hook\` writes a file with the right secret.`,
      );
    }
    deps.told(instance, hookIn(body).workflow ?? undefined);
    return new Response(undefined, { status: 202 });
  };
}

function hookIn(body: string): z.output<typeof hookShape> {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch (cause) {
    throw new AppError('invalid_input', 'The body of a hook must be JSON: { "event", "workflow" }.', { cause });
  }
  const parsed = hookShape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_input', 'The body of a hook must be { "event": text, "workflow": id of a workflow }.');
}
