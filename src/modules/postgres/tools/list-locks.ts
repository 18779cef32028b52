import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { relationNamed } from '../catalog/relation.ts';
import { waitsOf } from '../health/locks.ts';
import { type QueryTexts, queryTextsOf } from '../health/query-text.ts';
import { sceneOf } from '../health/scene.ts';
import { type Session, sessionsOf } from '../health/sessions.ts';
import { postgresTool } from '../tool.ts';

const session = z.object({
  pid: z.int(),
  user: z.string().optional(),
  application: z.string().optional(),
  state: z.string().optional(),
  transaction_seconds: z.int().optional(),
  query: z.string().optional(),
});

const HELD = `SELECT l.pid, array_agg(DISTINCT l.mode) FILTER (WHERE l.granted) AS held,
    array_agg(DISTINCT l.mode) FILTER (WHERE NOT l.granted) AS awaited
  FROM pg_locks l WHERE l.relation = $1::oid AND l.pid <> pg_backend_pid()
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  GROUP BY l.pid LIMIT 500`;

const about = (one: Session | undefined, pid: number, texts: QueryTexts, most: number): z.input<typeof session> => ({
  pid,
  ...(one && {
    ...(one.user !== null && { user: one.user }),
    ...(one.application !== null && one.application !== '' && { application: one.application }),
    ...(one.state !== null && { state: one.state }),
    ...(one.transactionSeconds !== null && { transaction_seconds: Math.max(0, Math.round(one.transactionSeconds)) }),
    query: texts.shown(one.query, most, one.application),
  }),
});

export const listLocks = postgresTool({
  name: 'postgres_list_locks',
  title: 'List who blocks whom',
  description:
    'Lists the sessions that wait for a lock: for what, since when, and which sessions block them with what they last ran. With `table`, every session that holds or wants a lock on that table.',
  phrases:
    'who blocks whom; what is blocking my query; show locks; which session holds the lock; deadlock or lock wait; table is locked',
  effect: 'read',
  input: z.strictObject({
    table: z.string().min(1).max(300).optional().describe('orders or shop.orders: all locks on this table'),
  }),
  output: z.object({
    waiting: z
      .array(
        session.extend({
          waits_seconds: z.int().optional(),
          mode: z.string().optional(),
          on: z.string().optional(),
          blocked_by: z.array(session),
        }),
      )
      .optional(),
    holders: z
      .array(session.extend({ held: z.array(z.string()), awaited: z.array(z.string()) }))
      .optional()
      .describe('Of the table'),
    total: z.int(),
    note: z.string().optional(),
  }),
  async run({ table }, postgres, { signal }) {
    return await postgres.read(async (run) => {
      const found = table === undefined ? undefined : await relationNamed(run, postgres, table);
      const { schemas, hidden, server } = await sceneOf(run, postgres.schemas);
      const texts = await queryTextsOf(run, hidden, schemas);
      const sessions = await sessionsOf(run);
      const byPid = new Map(sessions.map((one) => [one.pid, one]));
      const notes = server.seesAll
        ? []
        : ['Statements of other users are hidden from this user. GRANT pg_monitor shows them.'];
      const rest = (shown: number, all: number) => {
        if (shown < all) notes.push(`${all - shown} more.`);
        return { total: all, ...(notes.length > 0 && { note: notes.join(' ') }) };
      };
      if (found) {
        const { rows } = await run<{ pid: number; held: string[] | null; awaited: string[] | null }>(HELD, [found.oid]);
        const holders = rows.map(({ pid, held, awaited }) => ({
          ...about(byPid.get(pid), pid, texts, 200),
          held: held ?? [],
          awaited: awaited ?? [],
        }));
        const count = fittingItems(holders, { notes });
        return { holders: holders.slice(0, count), ...rest(count, holders.length) };
      }
      const waits = await waitsOf(run, server.version, (schema) => schemas.includes(schema));
      const waiting = sessions
        .filter(({ blockedBy }) => blockedBy.length > 0)
        .map((one) => {
          const wait = waits.find(({ pid }) => pid === one.pid);
          return {
            ...about(one, one.pid, texts, 200),
            ...(typeof wait?.seconds === 'number' && { waits_seconds: Math.max(0, Math.round(wait.seconds)) }),
            ...(wait && { mode: wait.mode, on: wait.on ?? 'a table that is out of reach' }),
            blocked_by: one.blockedBy.slice(0, 5).map((pid) => about(byPid.get(pid), pid, texts, 200)),
          };
        });
      const count = fittingItems(waiting, { notes });
      return { waiting: waiting.slice(0, count), ...rest(count, waiting.length) };
    }, signal);
  },
});
