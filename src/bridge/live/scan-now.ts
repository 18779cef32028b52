import { AppError, messageOf } from '../../kernel/errors.ts';
import type { BridgeDeps } from '../exposer.ts';

/** Scans n8n for a call of a tool that so far is known only from the shared file. Throws if n8n cannot be reached. */
export async function scanNow(
  deps: Pick<BridgeDeps, 'refresh' | 'state' | 'redact'>,
  instance: string,
  tool: string,
): Promise<void> {
  const away = (reason: string) =>
    new AppError(
      'unavailable',
      `${tool} was not called: so far it is known only from the shared file, and n8n cannot be reached: ${reason}`,
      { data: { notExecuted: true } },
    );
  try {
    await deps.refresh(instance);
  } catch (error) {
    throw away(deps.redact(messageOf(error)));
  }
  // The scan may have been another one's, which does not throw.
  const state = deps.state(instance);
  if (state.state === 'failing') throw away(state.reason);
}
