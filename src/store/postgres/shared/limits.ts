import { messageOf } from '../../../kernel/errors.ts';
import { createLimiter, type Rate } from '../../../kernel/rate.ts';
import { createLeasedTokens, type TokenBank } from './leased-tokens.ts';
import type { RedisCounter } from './redis-counter.ts';
import { within } from './within.ts';

/** A call does not wait longer than this for its rate limit. */
const ANSWER_MS = 1000;
const TRY_AGAIN_MS = 1000;

/** Counts with Redis; without it with tokens from the database; without that in this process alone. */
export function createLimits(bank: TokenBank, redis: RedisCounter | undefined, isCutOff: () => boolean) {
  const now = () => performance.now();
  const local = createLimiter();
  const leased = createLeasedTokens({
    lease: (...given) => within(ANSWER_MS, bank.lease(...given)),
  });
  let away: { reason: string; tryAt: number } | undefined;

  function fromDatabase(key: string, rate: Rate, times: number): number | undefined | Promise<number | undefined> {
    // Nobody waits for a database that is known to be away.
    if (isCutOff()) return local.exceeded(key, rate, times);
    if (away) {
      if (now() < away.tryAt) return local.exceeded(key, rate, times);
      away.tryAt = now() + TRY_AGAIN_MS;
    }
    const answer = leased.count(key, rate, times);
    return answer instanceof Promise ? guarded(answer, key, rate, times) : answer;
  }

  async function guarded(answer: Promise<number | undefined>, key: string, rate: Rate, times: number) {
    try {
      const seconds = await answer;
      away = undefined;
      return seconds;
    } catch (error) {
      away = { reason: messageOf(error), tryAt: now() + TRY_AGAIN_MS };
      return local.exceeded(key, rate, times);
    }
  }

  return {
    count(key: string, rate: Rate, times = 1): number | undefined | Promise<number | undefined> {
      if (!redis?.isThere()) return fromDatabase(key, rate, times);
      return redis.count(key, rate, times).catch(() => fromDatabase(key, rate, times));
    },
    forget: leased.forget,
    /** The database answers again. */
    back(): void {
      away = undefined;
    },
    /** Why limits are less strict than they should be. */
    troubles(): string[] {
      const missing = redis?.trouble();
      if (redis && missing === undefined) return [];
      const reason = away?.reason ?? (isCutOff() ? 'it cannot be reached' : undefined);
      const alone =
        reason === undefined
          ? []
          : [`Each replica counts rate limits for itself, because the store does not answer (${reason}).`];
      return missing === undefined ? alone : [...alone, missing];
    },
  };
}
