import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { isOwn, queryTextsOf } from '../health/query-text.ts';
import { guarded, sceneOf, sqlState } from '../health/scene.ts';
import { postgresTool } from '../tool.ts';

export interface Target {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly database: string | null;
  readonly kind: string | null;
  readonly state: string | null;
  readonly isSuperuser: boolean;
  readonly isMine: boolean;
  readonly isHere: boolean;
  readonly seconds: number | null;
  readonly query: string | null;
}

const TARGET = `SELECT a.pid, a.usename AS user, a.application_name AS application, a.datname AS database,
    a.backend_type AS kind, a.state, coalesce(r.rolsuper, false) AS "isSuperuser",
    a.usename IS NOT DISTINCT FROM current_user AS "isMine", a.datname = current_database() AS "isHere",
    extract(epoch FROM clock_timestamp() - a.query_start)::float8 AS seconds, left(a.query, 2000) AS query
  FROM pg_stat_activity a LEFT JOIN pg_roles r ON r.rolname = a.usename WHERE a.pid = $1`;

/** Why a statement must not or cannot be cancelled. */
function refusal(target: Target | undefined, pid: number): AppError | undefined {
  if (!target)
    return new AppError(
      'not_found',
      `There is no session with the pid ${pid}. postgres_list_activity shows those that run.`,
    );
  if (isOwn(target.application))
    return new AppError(
      'forbidden',
      `The session ${pid} is Sluice's own (${target.application?.slice(0, 63)}) and cannot be cancelled here.`,
    );
  if (target.kind !== null && target.kind !== 'client backend')
    return new AppError(
      'forbidden',
      `The process ${pid} is no session of a client but PostgreSQL's own ${target.kind}.`,
    );
  if (!target.isHere)
    return new AppError(
      'forbidden',
      `The session ${pid} uses another database. Only those of this database can be cancelled.`,
    );
  if (target.isSuperuser && !target.isMine)
    return new AppError(
      'forbidden',
      `The session ${pid} belongs to ${target.user}, a superuser: it may be a backup or maintenance. Ask whoever runs it, or cancel it there with SELECT pg_cancel_backend(${pid});`,
    );
  if (target.state?.startsWith('idle in transaction'))
    return new AppError(
      'conflict',
      `The session ${pid} runs nothing: it is idle in a transaction, which cancelling does not end. An administrator can end the session with SELECT pg_terminate_backend(${pid});`,
    );
  if (target.state === 'idle')
    return new AppError('conflict', `The session ${pid} is idle: there is nothing to cancel.`);
  return undefined;
}

export const cancelQuery = postgresTool({
  name: 'postgres_cancel_query',
  title: 'Cancel a running query',
  description:
    'Cancels the statement that a session runs, by its pid from postgres_list_activity or postgres_list_locks. The session stays connected; its transaction fails. Sessions of Sluice and of other superusers are refused.',
  phrases: 'kill a query; stop a long running query; cancel a session; pg_cancel_backend; unblock a table',
  effect: 'execute',
  input: z.strictObject({ pid: z.int().min(1).max(2_147_483_647).describe('Process id of the session') }),
  output: z.object({
    pid: z.int(),
    cancelled: z.boolean().describe('Whether the signal was sent'),
    user: z.string().optional(),
    ran_seconds: z.int().optional(),
    query: z.string(),
  }),
  async run({ pid }, postgres, { signal }) {
    return await postgres.write(
      async (run) => {
        const { rows } = await run<Target>(TARGET, [pid]);
        const [target] = rows;
        const refused = refusal(target, pid);
        if (refused || !target) throw refused ?? new AppError('not_found', `There is no session with the pid ${pid}.`);
        const { schemas, hidden } = await sceneOf(run, postgres.schemas);
        const texts = await queryTextsOf(run, hidden, schemas);
        try {
          const { rows: sent } = await guarded(run, () =>
            run<{ cancelled: boolean }>('SELECT pg_cancel_backend($1) AS cancelled', [pid]),
          );
          return {
            pid,
            cancelled: sent[0]?.cancelled ?? false,
            ...(target.user !== null && { user: target.user }),
            ...(target.seconds !== null && { ran_seconds: Math.max(0, Math.round(target.seconds)) }),
            query: texts.shown(target.query, 500, target.application),
          };
        } catch (error) {
          if (sqlState(error) !== '42501') throw error;
          throw new AppError(
            'forbidden',
            `The user of this module may not cancel sessions of ${target.user}. GRANT pg_signal_backend allows it.`,
            { cause: error },
          );
        }
      },
      { signal },
    );
  },
});
