import type { Rate } from '../../../kernel/rate.ts';

/** The bucket that all replicas share. */
export interface TokenBank {
  /**
   * Takes up to `most` tokens, or none if there are not even `least`. `waitMs` is how long it takes until there is one
   * more. The bucket holds `slackMs` less than the period, see `slackOf`.
   */
  lease(key: string, rate: Rate, tokens: { least: number; most: number; slackMs: number }): Promise<Grant>;
}

export interface Grant {
  readonly granted: number;
  readonly waitMs: number;
}

/** Tokens in stock are at most this part of the limit. */
const PART = 20;
/** The longest that unused tokens stay valid, and the most of a period. */
const LIFE_MS = 1000;
const LIFE_PART = 0.03;
/** The part of the uses in a token's life that is taken ahead. */
const SHARE = 0.75;
/** After the bucket was empty, it is not asked again before this: it fills meanwhile, so that nothing is lost. */
const PAUSE_MS = 25;
const MOST_KEYS = 100_000;
const FORGET_MS = 60_000;

/** How many tokens a replica may have in stock; none for a small limit, of which each one counts. */
const stockOf = ({ count }: Rate): number => (count < 2 * PART ? 0 : Math.floor(count / PART));

/**
 * How long tokens stay valid. A token that is taken early and used late would let more through in a short time than one
 * bucket does, so the bucket is smaller by what flows into it in this time.
 */
export const slackOf = (rate: Rate): number => (stockOf(rate) === 0 ? 0 : Math.min(LIFE_MS, rate.perMs * LIFE_PART));

interface Waiting {
  readonly times: number;
  readonly settle: (answer: number | undefined) => void;
  readonly fail: (error: unknown) => void;
}

interface Stock {
  /** Tokens in the order in which they lapse. */
  lots: { tokens: number; until: number }[];
  /** Grows while tokens are used up. */
  batch: number;
  /** Uses in this and in the previous span of the length of a token's life. */
  span: number;
  used: number;
  usedBefore: number;
  lastUse: number;
  /** When there is one more token, as far as we know. */
  emptyUntil: number;
  waiting: Waiting[];
  asking: boolean;
}

/**
 * Counts uses with tokens from a shared bucket. Takes some ahead for a name that is used a lot, so that most uses are
 * counted here and at once. Unused ones lapse soon: a quiet replica does not sit on tokens that others need.
 */
export function createLeasedTokens(bank: TokenBank, now: () => number = () => performance.now()) {
  const stocks = new Map<string, Stock>();

  function stockFor(key: string, time: number): Stock {
    const found = stocks.get(key);
    if (found) return found;
    if (stocks.size >= MOST_KEYS) forget(time);
    const made: Stock = {
      lots: [],
      batch: 1,
      span: -1,
      used: 0,
      usedBefore: 0,
      lastUse: time,
      emptyUntil: 0,
      waiting: [],
      asking: false,
    };
    stocks.set(key, made);
    return made;
  }

  function inStock(stock: Stock, time: number): number {
    while (stock.lots[0] && stock.lots[0].until <= time) {
      // Some were left over: it was too many.
      if (stock.lots[0].tokens > 0) stock.batch = 1;
      stock.lots.shift();
    }
    let sum = 0;
    for (const { tokens } of stock.lots) sum += tokens;
    return sum;
  }

  function spend(stock: Stock, times: number): void {
    for (let left = times; left > 0; ) {
      const lot = stock.lots[0];
      if (!lot) throw new Error('More tokens were spent than there are.');
      const some = Math.min(left, lot.tokens);
      lot.tokens -= some;
      left -= some;
      if (lot.tokens === 0) stock.lots.shift();
    }
  }

  function noteUse(stock: Stock, rate: Rate, times: number, time: number): void {
    stock.lastUse = time;
    const life = slackOf(rate);
    if (life === 0) return;
    const span = Math.floor(time / life);
    if (span !== stock.span) {
      stock.usedBefore = span === stock.span + 1 ? stock.used : 0;
      stock.used = 0;
      stock.span = span;
    }
    stock.used += times;
  }

  /** How many to have in stock: fewer than are used before they lapse. */
  const targetOf = (stock: Stock, rate: Rate): number =>
    Math.min(stock.batch, stockOf(rate), Math.floor(SHARE * Math.max(stock.used, stock.usedBefore)));

  const secondsUntil = (time: number, at: number): number => Math.max(1, Math.ceil((at - time) / 1000));

  /** When there are `times` tokens, if nobody else takes any. */
  const roomAt = (stock: Stock, { count, perMs }: Rate, times: number): number =>
    stock.emptyUntil + ((times - 1) * perMs) / count;

  async function ask(key: string, stock: Stock, rate: Rate): Promise<void> {
    stock.asking = true;
    try {
      do {
        const sent = now();
        const needed = stock.waiting.reduce((sum, { times }) => sum + times, 0);
        const most = needed + Math.max(0, targetOf(stock, rate) - inStock(stock, sent));
        if (most === 0) return;
        const least = stock.waiting[0]?.times ?? 1;
        const slackMs = slackOf(rate);
        const { granted, waitMs } = await bank.lease(key, rate, { least, most, slackMs });
        const time = now();
        const full = granted === most;
        stock.emptyUntil = full ? 0 : time + (waitMs > 0 ? Math.max(waitMs, PAUSE_MS) : 0);
        if (full) stock.batch = Math.min(stock.batch * 2, Math.max(1, stockOf(rate)));
        // Those who waited are served with what came for them, however late it came.
        let fresh = granted;
        for (;;) {
          const [next] = stock.waiting;
          if (!next) break;
          if (fresh >= next.times) fresh -= next.times;
          else if (inStock(stock, time) + fresh >= next.times) {
            spend(stock, next.times - fresh);
            fresh = 0;
          } else if (full) break;
          else {
            stock.waiting.shift();
            next.settle(secondsUntil(time, roomAt(stock, rate, next.times)));
            continue;
          }
          stock.waiting.shift();
          next.settle(undefined);
        }
        if (fresh > 0) stock.lots.push({ tokens: fresh, until: sent + slackMs });
      } while (stock.waiting.length > 0);
    } catch (error) {
      for (const { fail } of stock.waiting.splice(0)) fail(error);
    } finally {
      stock.asking = false;
    }
  }

  /** Names that nobody uses any more. */
  function forget(time: number): void {
    for (const [key, stock] of stocks)
      if (!stock.asking && (time - stock.lastUse > FORGET_MS || stocks.size >= MOST_KEYS)) stocks.delete(key);
  }

  return {
    /** Counts uses, or returns the seconds until there is room. Rejects if the bank does. */
    count(key: string, rate: Rate, times = 1): number | undefined | Promise<number | undefined> {
      const time = now();
      const stock = stockFor(key, time);
      const has = stock.waiting.length > 0 ? 0 : inStock(stock, time);
      if (has >= times) {
        spend(stock, times);
        noteUse(stock, rate, times, time);
        const low = has - times < targetOf(stock, rate) / 3;
        if (low && !stock.asking && stock.emptyUntil <= time) void ask(key, stock, rate);
        return undefined;
      }
      if (time < roomAt(stock, rate, times) && stock.emptyUntil > 0)
        return secondsUntil(time, roomAt(stock, rate, times));
      noteUse(stock, rate, times, time);
      return new Promise((settle, fail) => {
        stock.waiting.push({ times, settle, fail });
        if (!stock.asking) void ask(key, stock, rate);
      });
    },
    forget: (): void => forget(now()),
  };
}
