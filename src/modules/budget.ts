import { AppError } from '../kernel/errors.ts';
import type { Tables } from '../store/store.ts';

/** At most `most` of a currency in each period. Days and months are those of UTC. */
export interface Limit {
  readonly most: number;
  readonly per: 'day' | 'month';
  /** Where it is in the file, such as `modules.openrouter.budget`. */
  readonly setting: string;
}

/** What calls may cost. It is kept in the store: restarts and other replicas count, too. */
export interface Budget {
  /**
   * Sets `amount` aside before a call that costs at most that. Throws if less is left: then nothing may be called. An
   * amount that is never settled, as after a crash, stays spent.
   */
  reserve(amount: number): Promise<Reserved>;
  state(): Promise<{ readonly spent: number; readonly left: number; readonly until: string }>;
}

export interface Reserved {
  /** Replaces what was set aside by what the call did cost. */
  settle(cost: number): Promise<void>;
}

const MICROS = 1e6;

export function createBudget(
  tables: Tables,
  source: string,
  { most, per, setting }: Limit,
  now: () => Date = () => new Date(),
): Budget {
  const cap = Math.floor(most * MICROS);

  async function spentIn(period: string): Promise<number> {
    const [row] = await tables.rows<{ micros: number | string }>(
      'SELECT micros FROM module_spending WHERE source = ? AND period = ?',
      source,
      period,
    );
    return Number(row?.micros ?? 0);
  }

  return {
    async reserve(amount) {
      const { period, until } = periodOf(now(), per);
      const micros = Math.ceil(amount * MICROS);
      // One statement, so that two replicas cannot both take what is left.
      const taken =
        micros <= cap &&
        (await tables.change(
          `INSERT INTO module_spending (source, period, micros) VALUES (?, ?, ?)
           ON CONFLICT (source, period) DO UPDATE SET micros = module_spending.micros + excluded.micros
           WHERE module_spending.micros + excluded.micros <= ?`,
          source,
          period,
          micros,
          cap,
        )) === 1;
      if (!taken) {
        const left = Math.max(0, cap - (await spentIn(period)));
        throw new AppError(
          'rate_limited',
          `The call may cost ${shown(micros)}, and ${shown(left)} of ${shown(cap)} a ${per} is left until ${until}. Ask for less, or raise ${setting} in sluice.yaml.`,
          { saysWhen: true },
        );
      }
      let open = true;
      return {
        async settle(cost) {
          if (!open) return;
          open = false;
          const change = Math.ceil(cost * MICROS) - micros;
          await tables.change(
            'UPDATE module_spending SET micros = micros + ? WHERE source = ? AND period = ?',
            change,
            source,
            period,
          );
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

const shown = (micros: number): string => `$${(micros / MICROS).toFixed(micros < 10_000 ? 4 : 2)}`;

function periodOf(now: Date, per: Limit['per']): { period: string; until: string } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const next = per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
  return {
    period: now.toISOString().slice(0, per === 'day' ? 10 : 7),
    until: new Date(next).toISOString().replace(/:00\.000Z$/, 'Z'),
  };
}
