import { AppError } from '../../kernel/errors.ts';

/** One status is up to 600 calls, and a check may lead to another gateway that asks this one. */
const MOST_AT_ONCE = 4;

/** Runs a status for a principal, unless so many of his are running. */
export type InFlight = <T>(principal: string, work: () => Promise<T>) => Promise<T>;

export function createInFlight(): InFlight {
  const running = new Map<string, number>();
  return async (principal, work) => {
    const now = running.get(principal) ?? 0;
    if (now >= MOST_AT_ONCE)
      throw new AppError(
        'rate_limited',
        `${MOST_AT_ONCE} calls of project_status by this key are running. Repeat this one when one of them has ended.`,
        { saysWhen: true },
      );
    running.set(principal, now + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(principal) ?? 1) - 1;
      if (left > 0) running.set(principal, left);
      else running.delete(principal);
    }
  };
}
