import type { Tables } from '../../store/store.ts';
import { OPEN } from './run-head.ts';

/** What one deployment may cause, with the runs of all blueprints that it calls. Undoing is not limited. */
const MOST = { runs: 2000, steps: 50_000, bytes: 256 * 1024 * 1024 };
/** Runs of one principal that have not ended, called ones included. */
const MOST_OPEN = 5000;

export interface Usage {
  readonly runs?: number;
  readonly steps?: number;
  readonly bytes?: number;
}

/** The run that somebody deployed: ids of called runs begin with its id. */
export const rootOf = (run: string): string => run.split('.', 1)[0] as string;

/** How much each deployment has caused so far. */
export function usageRows(tables: Tables) {
  return {
    async charge(run: string, { runs = 0, steps = 0, bytes = 0 }: Usage): Promise<void> {
      await tables.change(
        `INSERT INTO blueprint_usage (root, runs, steps, bytes) VALUES (?, ?, ?, ?)
         ON CONFLICT (root) DO UPDATE SET runs = blueprint_usage.runs + excluded.runs,
           steps = blueprint_usage.steps + excluded.steps, bytes = blueprint_usage.bytes + excluded.bytes`,
        rootOf(run),
        runs,
        steps,
        bytes,
      );
    },

    /** Why no other run, or no other step, may begin in the deployment of a run. */
    async full(run: string, next: 'runs' | 'steps'): Promise<string | undefined> {
      const root = rootOf(run);
      const [row] = await tables.rows<Record<keyof typeof MOST, number | string>>(
        'SELECT runs, steps, bytes FROM blueprint_usage WHERE root = ?',
        root,
      );
      if (!row) return undefined;
      const words = {
        runs: `${MOST.runs} runs`,
        steps: `${MOST.steps} steps and items`,
        bytes: `${MOST.bytes / 1024 / 1024} MB of arguments and results`,
      };
      const reached = ([next, 'bytes'] as const).find((one) => Number(row[one]) >= MOST[one]);
      if (reached === undefined) return undefined;
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
  };
}

export type Charge = ReturnType<typeof usageRows>['charge'];
