import { z } from 'zod';
import { AppError, toAppError } from '../../kernel/errors.ts';

/** What became of one of several workflows. */
export const failure = z.object({ id: z.string(), error: z.string() });

export interface Each<T> {
  readonly done: T[];
  readonly failed: z.output<typeof failure>[];
}

/** The same for several workflows, each on its own: one that cannot be done does not keep the others from it. */
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
      // What was done already has to be told, so a cancelled call ends here without losing it.
      if (ids.length === 1 || (signal.aborted && done.length === 0)) throw error;
      first ??= error;
      failed.push({ id, error: error.message });
    }
  }
  if (first && done.length === 0) {
    const reasons = failed.map(({ id, error }) => `${id}: ${error}`).join('\n');
    throw new AppError(first.code, `None of the ${ids.length} workflows was done.\n${reasons.slice(0, 3000)}`);
  }
  return { done, failed };
}
