import type { Argument, Redis } from './connection.ts';
import { bytesListIn, listIn, textIn } from './replies.ts';
import { type Scanned, scanned } from './scan.ts';

interface Wanted {
  readonly pattern?: string | undefined;
  readonly type?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const matching = ({ pattern, type }: Pick<Wanted, 'pattern' | 'type'>): Argument[] => [
  ...(pattern === undefined ? [] : ['MATCH', pattern]),
  ...(type === undefined ? [] : ['TYPE', type]),
];

/** Keys in reach, as many as wanted. */
export async function scanKeys(redis: Redis, signal: AbortSignal, wanted: Wanted): Promise<Scanned<Buffer>> {
  const send = redis.during(signal);
  return await scanned<Buffer>({
    async step(at, count) {
      const [next = '0', keys = []] = listIn(await send('SCAN', at, ...matching(wanted), 'COUNT', count));
      return { next: textIn(next), found: bytesListIn(keys) };
    },
    from: wanted.cursor,
    mostMs: redis.patienceMs,
    first: Math.min(1000, Math.max(10, wanted.limit)),
    limit: wanted.limit,
    keep: redis.keys.has,
    identity: (key) => key.toString('latin1'),
    bytes: ({ length }) => length,
  });
}

const STEP = 2000;

type Stop = 'stop' | 'stop and repeat';

export interface Walk {
  readonly pattern?: string | undefined;
  /** How many keys Redis may look at. */
  readonly most: number;
  readonly cursor?: string | undefined;
  /** Takes the keys in reach of each step. Says whether to stop after it, or to begin with it again the next time. */
  each(keys: readonly Buffer[]): Promise<Stop | undefined> | Stop | undefined;
  /** Called with how many keys were looked at, about. */
  progress?(visited: number): void;
}

/** Goes over many keys in steps, as long as a call may take. Returns the cursor to go on from; undefined at the end. */
export async function walkKeys(
  redis: Redis,
  signal: AbortSignal,
  { pattern, most, cursor = '0', each, progress }: Walk,
): Promise<{ cursor: string | undefined; visited: number }> {
  const send = redis.during(signal);
  const until = performance.now() + redis.patienceMs;
  let at = cursor;
  let visited = 0;
  do {
    const [next = '0', keys = []] = listIn(await send('SCAN', at, ...matching({ pattern }), 'COUNT', STEP));
    const before = at;
    at = textIn(next);
    visited += STEP;
    progress?.(visited);
    const stop = await each(bytesListIn(keys).filter(redis.keys.has));
    if (stop === 'stop and repeat') return { cursor: before, visited };
    if (stop) break;
  } while (at !== '0' && visited < most && performance.now() < until);
  return { cursor: at === '0' ? undefined : at, visited };
}
