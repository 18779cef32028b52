import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { OpenHands } from './connection.ts';

const config = z.object({ app_mode: z.string().max(50).nullish().catch(undefined) });

/** What the server says about itself. Its version is not part of the API. */
export async function readStatus(
  openhands: OpenHands,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly mode: string | undefined }> {
  const count = await openhands.ask(z.int(), ['app-conversations', 'count'], { signal });
  return { count, mode: await modeOf(openhands, signal) };
}

/** Earlier servers of the V1 API do not tell. */
async function modeOf(openhands: OpenHands, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await openhands.ask(config, ['web-client', 'config'], { signal })).app_mode ?? undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
