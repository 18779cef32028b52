import { createClient } from '@redis/client';
import { createHash } from 'node:crypto';
import { messageOf } from '../../../kernel/errors.ts';
import type { Rate } from '../../../kernel/rate.ts';
import { storedKey } from './stored-key.ts';
import { within } from './within.ts';

const ANSWER_MS = 250;
/** After a failure one call in this time tries again; the others do not wait. */
const TRY_AGAIN_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/** The same rule as createLimiter, on the clock of Redis. Returns nothing, or how many milliseconds too many it was. */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local per = tonumber(ARGV[1])
local from = math.max(now, math.min(tonumber(redis.call('GET', KEYS[1]) or '0'), now + per))
local empty = from + per / ARGV[2] * ARGV[3]
local over = empty - now - per
if over > 0.001 then return tostring(over) end
redis.call('SET', KEYS[1], string.format('%.3f', empty), 'PX', math.max(1, math.ceil(empty - now)))
return false`;
const SHA = createHash('sha1').update(SCRIPT).digest('hex');

export interface RedisCounter {
  /** Counts uses, or returns the seconds until there is room. Rejects if Redis does not answer. */
  count(key: string, rate: Rate, times: number): Promise<number | undefined>;
  /** Whether it is worth asking now. */
  isThere(): boolean;
  /** Why it is not there, without secrets. */
  trouble(): string | undefined;
  close(): void;
}

/** Counts exactly, with one atomic script a call. Connects in the background, again and again. */
export function openRedis(url: string, space: string): RedisCounter {
  const place = new URL(url);
  place.username = place.password = '';
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    pingInterval: 10_000,
    name: 'sluice',
    socket: { connectTimeout: 2000, reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, LONGEST_PAUSE_MS) },
  });
  let problem: string | undefined;
  let tryAt = 0;
  let everThere = false;

  const failed = (error: unknown) => {
    problem = messageOf(error);
    tryAt = performance.now() + TRY_AGAIN_MS;
  };
  client.on('error', failed);
  client.on('ready', () => {
    everThere = true;
    problem = undefined;
    tryAt = 0;
  });
  // It never gives up, unless it is closed.
  const connecting = client.connect().then(
    () => {},
    () => {},
  );

  const answered = async (key: string, args: string[]) => {
    const given = { keys: [key], arguments: args };
    try {
      return await client.evalSha(SHA, given);
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      return await client.eval(SCRIPT, given);
    }
  };

  return {
    async count(key, { count, perMs }, times) {
      try {
        // The first calls wait for the first connection, as long as they would wait for an answer.
        if (!everThere) await within(ANSWER_MS, connecting);
        const over = await within(
          ANSWER_MS,
          answered(`${space}${storedKey(key)}`, [String(perMs), String(count), String(times)]),
        );
        problem = undefined;
        tryAt = 0;
        return over === null ? undefined : Math.max(1, Math.ceil(Number(over) / 1000));
      } catch (error) {
        // While it is not connected, the reason for that says more.
        if (client.isReady || problem === undefined) failed(error);
        throw error;
      }
    },
    isThere() {
      if (problem === undefined) return true;
      if (!client.isReady || performance.now() < tryAt) return false;
      tryAt = performance.now() + TRY_AGAIN_MS;
      return true;
    },
    trouble: () =>
      problem === undefined
        ? undefined
        : `Redis at ${place.host} cannot be used (${problem}). Until it is back, rate limits are counted in batches from PostgreSQL.`,
    close: () => client.destroy(),
  };
}
