import type { Tables } from '../../store/store.ts';
import { OPEN } from './run-head.ts';

/** What one deployment may cause, with the runs of all blueprints that it calls. Undoing is not limited. */
const MOST = { runs: 2000, steps: 50_000, bytes: 256 * 1024 * 1024 };
/** Runs of one principal that have not ended, called ones included. */
const MOST_OPEN = 5000;
/** What these store when another one is deployed. Those under way go on: each has a limit of its own. */
const MOST_OPEN_BYTES = MOST.bytes;
/** What all runs of one principal store. The oldest that have ended go first. */
export const MOST_KEPT_BYTES = 4 * MOST.bytes;

export interface Usage {
  readonly runs?: number;
  readonly steps?: number;
  readonly bytes?: number;
}

/** The run that somebody deployed: ids of called runs begin with its id. */
export const rootOf = (run: string): string => run.split('.', 1)[0] as string;

/** How much each deployment has caused so far. */
export function usageRows(tables: Tables) {
  const counting = `INSERT INTO blueprint_usage (root, runs, steps, bytes) VALUES (?, ?, ?, ?)
    ON CONFLICT (root) DO UPDATE SET runs = blueprint_usage.runs + excluded.runs,
      steps = blueprint_usage.steps + excluded.steps, bytes = blueprint_usage.bytes + excluded.bytes`;
  const kinds = ['runs', 'steps', 'bytes'] as const;
  // One statement: many come at the same moment.
  const fits = kinds.map((one) => `(excluded.${one} = 0 OR blueprint_usage.${one} + excluded.${one} <= ${MOST[one]})`);

  return {
    /** Counts what must not be refused, or what did not come about after all. */
    async count(run: string, { runs = 0, steps = 0, bytes = 0 }: Usage): Promise<void> {
      await tables.change(counting, rootOf(run), runs, steps, bytes);
    },

    /** Counts it if the deployment of the run has room for it. Otherwise returns why not. */
    async charge(run: string, usage: Usage): Promise<string | undefined> {
      const root = rootOf(run);
      const added = kinds.map((one) => usage[one] ?? 0);
      if ((await tables.change(`${counting} WHERE ${fits.join(' AND ')}`, root, ...added)) > 0) return undefined;
      const words = {
        runs: `${MOST.runs} runs`,
        steps: `${MOST.steps} steps and items`,
        bytes: `${MOST.bytes / 1024 / 1024} MB of arguments and results`,
      };
      const [row] = await tables.rows<Record<keyof typeof MOST, number | string>>(
        'SELECT runs, steps, bytes FROM blueprint_usage WHERE root = ?',
        root,
      );
      const reached = kinds.find((one) => (usage[one] ?? 0) + Number(row?.[one] ?? 0) > MOST[one]) ?? 'bytes';
      return `${root} has reached ${words[reached]}, with the blueprints that it calls. One deployment may have no more. Deploy it in smaller parts.`;
    },

    /** Why a principal may begin no other run. */
    async tooManyOpen(deployer: string): Promise<string | undefined> {
      const [row] = await tables.rows<{ n: number | string }>(
        `SELECT count(*) AS n FROM blueprint_runs WHERE deployer = ? AND ${OPEN}`,
        deployer,
      );
      if (Number(row?.n ?? 0) < MOST_OPEN) return undefined;
      return `Whoever deployed this has ${MOST_OPEN} runs that have not ended. blueprint_history shows them; cancel some first.`;
    },

    /** Why a principal may deploy nothing more, because of what they have deployed. */
    async tooMuchOpen(deployer: string): Promise<string | undefined> {
      const [row] = await tables.rows<{ bytes: number | string }>(
        `SELECT COALESCE(SUM(bytes), 0) AS bytes FROM blueprint_usage JOIN blueprint_runs ON id = root WHERE deployer = ? AND ${OPEN}`,
        deployer,
      );
      if (Number(row?.bytes ?? 0) < MOST_OPEN_BYTES) return undefined;
      return `Your runs that have not ended take up ${MOST_OPEN_BYTES / 1024 / 1024} MB. blueprint_history shows them; cancel some first.`;
    },
  };
}

export type UsageRows = Pick<ReturnType<typeof usageRows>, 'count' | 'charge'>;
