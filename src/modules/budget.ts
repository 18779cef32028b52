import { AppError } from '../kernel/errors.ts';
import type { Tables } from '../store/store.ts';

/** At most `most` of a currency in each period. Days and months are those of UTC. */
export interface Limit {
  readonly most: number;
  readonly per: 'day' | 'month';
  /** Where it is in the file, such as `modules.openrouter.budget`. */
  readonly setting: string;
  /** What makes a call cheaper, as a sentence for whoever has too little left. */
  readonly advice?: string;
}

/** What calls may cost. It is kept in the store: restarts and other replicas count, too. */
export interface Budget {
  /**
   * Sets `amount` aside before a call that costs at most that. Throws if less is left: then nothing may be called. An
   * amount that is never settled, as after a crash, stays spent.
   */
  reserve(amount: number): Promise<Reserved>;
  state(): Promise<Spent>;
}

export interface Spent {
  /** With what is set aside for calls that still run. */
  readonly spent: number;
  readonly left: number;
  /** When the next period begins. */
  readonly until: string;
}

export interface Reserved {
  /**
   * Replaces what was set aside by what the call did cost, in the period of the reservation; only the first time. A cost
   * that is no amount is unknown: then what was set aside stays spent.
   */
  settle(cost: number): Promise<void>;
}

const MICROS = 1e6;
/** No limit, call or answer that claims a cost is larger: sums stay whole numbers that both databases can count. */
export const MOST_AMOUNT = 1e6;

const isAmount = (given: number): boolean => Number.isFinite(given) && given >= 0;

export function createBudget(
  tables: Tables,
  source: string,
  { most, per, setting, advice = 'Ask for less' }: Limit,
  now: () => Date = () => new Date(),
): Budget {
  if (!isAmount(most) || most > MOST_AMOUNT) throw new AppError('invalid_input', `${setting}: ${most} is no amount.`);
  // Rounded first: 0.57 times a million is a little less than 570,000.
  const cap = Math.floor(Number((most * MICROS).toFixed(3)));

  async function spentIn(period: string): Promise<number> {
    const [row] = await tables.rows<{ micros: number | string }>(
      'SELECT micros FROM module_spending WHERE source = ? AND period = ?',
      source,
      period,
    );
    return Number(row?.micros ?? 0);
  }

  /** One statement, so that two replicas cannot both take what is left. */
  async function take(period: string, micros: number): Promise<boolean> {
    const changed = await tables.change(
      `INSERT INTO module_spending (source, period, micros) VALUES (?, ?, ?)
       ON CONFLICT (source, period) DO UPDATE SET micros = module_spending.micros + excluded.micros
       WHERE module_spending.micros + excluded.micros <= ?`,
      source,
      period,
      micros,
      cap,
    );
    return changed === 1;
  }

  async function add(period: string, change: number): Promise<void> {
    await tables.change(
      `INSERT INTO module_spending (source, period, micros) VALUES (?, ?, ?)
       ON CONFLICT (source, period) DO UPDATE SET micros = module_spending.micros + excluded.micros`,
      source,
      period,
      change,
    );
  }

  return {
    async reserve(amount) {
      if (!isAmount(amount)) throw new AppError('internal', `${amount} is no amount that a call can cost.`);
      const { period, until } = periodOf(now(), per);
      const micros = Math.ceil(amount * MICROS);
      // What is free passes even if an earlier call did cost more than expected.
      if (micros > 0 && !(micros <= cap && (await take(period, micros)))) {
        const left = Math.max(0, cap - (await spentIn(period)));
        throw new AppError(
          'rate_limited',
          `The call may cost ${shown(micros)}, and ${shown(left)} of ${shown(cap)} a ${per} is left until ${until}. ${advice}, or raise ${setting} in sluice.yaml.`,
          { saysWhen: true },
        );
      }
      let open = true;
      return {
        async settle(cost) {
          if (!open || !isAmount(cost)) return;
          open = false;
          const change = Math.ceil(Math.min(cost, MOST_AMOUNT) * MICROS) - micros;
          if (change !== 0) await add(period, change);
        },
      };
    },
    async state() {
      const { period, until } = periodOf(now(), per);
      const spent = await spentIn(period);
      return { spent: spent / MICROS, left: Math.max(0, cap - spent) / MICROS, until };
    },
  };
}

/** Two digits as everybody writes them, and more only if there are more. */
const shown = (micros: number): string => `$${(micros / MICROS).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

function periodOf(now: Date, per: Limit['per']): { period: string; until: string } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const next = per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
  return {
    period: now.toISOString().slice(0, per === 'day' ? 10 : 7),
    until: new Date(next).toISOString().replace(/:00\.000Z$/, 'Z'),
  };
}
