import { z } from 'zod';
import { AppError, toAppError } from '../../kernel/errors.ts';

/** Why one of several workflows failed. */
export const failure = z.object({ id: z.string(), error: z.string() });

export interface Each<T> {
  readonly done: T[];
  readonly failed: z.output<typeof failure>[];
}

/** Does the work for several workflows, one after the other. If one fails, the others are still done. */
export async function eachWorkflow<T>(
  ids: readonly string[],
  signal: AbortSignal,
  work: (id: string) => Promise<T>,
): Promise<Each<T>> {
  const done: T[] = [];
  const failed: z.output<typeof failure>[] = [];
  let first: AppError | undefined;
  for (const id of ids) {
    try {
      signal.throwIfAborted();
      done.push(await work(id));
    } catch (thrown) {
      const error = toAppError(thrown);
      // A cancelled call still has to report what it already did.
      if (ids.length === 1 || (signal.aborted && done.length === 0)) throw error;
      first ??= error;
      failed.push({ id, error: error.message });
    }
  }
  if (first && done.length === 0) {
    const reasons = failed.map(({ id, error }) => `${id}: ${error}`).join('\n');
    throw new AppError(first.code, `All ${ids.length} workflows failed.\n${reasons.slice(0, 3000)}`);
  }
  return { done, failed };
}
