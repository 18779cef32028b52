import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { queryTextsOf } from '../health/query-text.ts';
import { sceneOf } from '../health/scene.ts';
import { type Session, sessionsOf } from '../health/sessions.ts';
import { postgresTool } from '../tool.ts';

const rounded = (seconds: number | null) => (seconds === null ? undefined : Math.round(Math.max(0, seconds) * 10) / 10);

const states = ['active', 'idle', 'idle_in_transaction', 'all'] as const;

function isIn(state: (typeof states)[number] | undefined, session: Session): boolean {
  switch (state) {
    case 'all':
      return true;
    case 'active':
      return session.state === 'active';
    case 'idle':
      return session.state === 'idle';
    case 'idle_in_transaction':
      return session.state?.startsWith('idle in transaction') ?? false;
    case undefined:
      return session.state !== 'idle';
  }
}

export const listActivity = postgresTool({
  name: 'postgres_list_activity',
  title: 'List what sessions do',
  description:
    'Lists the sessions of this database, the oldest transaction first: pid, user, application, state, how long, what it waits for, who blocks it, and the statement. Idle sessions are left out by default.',
  phrases:
    'what is running right now; show running queries; pg_stat_activity; idle in transaction sessions; who is connected; long running queries',
  effect: 'read',
  input: z.strictObject({
    state: z.enum(states).optional().describe('Only sessions in this state. Default: all that are not idle'),
    min_seconds: z.number().min(0).max(1e9).optional().describe('Only transactions or statements at least this old'),
    limit: z.int().min(1).max(500).default(50).describe('How many at most'),
  }),
  output: z.object({
    sessions: z.array(
      z.object({
        pid: z.int(),
        user: z.string().optional(),
        application: z.string().optional(),
        client: z.string().optional(),
        state: z.string().optional(),
        waits_for: z.string().optional(),
        blocked_by: z.array(z.int()).optional(),
        transaction_seconds: z.number().optional(),
        state_seconds: z.number().optional().describe('How long it has been in its state'),
        query: z.string().describe('The statement that runs, or the last one'),
      }),
    ),
    total: z.int().describe('How many sessions matched'),
    note: z.string().optional(),
  }),
  async run({ state, min_seconds = 0, limit }, postgres, { signal }) {
    const { sessions, texts, seesAll } = await postgres.read(async (run) => {
      const { schemas, hidden, server } = await sceneOf(run, postgres.schemas);
      return {
        sessions: await sessionsOf(run),
        texts: await queryTextsOf(run, hidden, schemas),
        seesAll: server.seesAll,
      };
    }, signal);
    const matching = sessions.filter(
      (one) => isIn(state, one) && (one.transactionSeconds ?? one.stateSeconds ?? 0) >= min_seconds,
    );
    const items = matching.slice(0, limit).map((one) => ({
      pid: one.pid,
      ...(one.user !== null && { user: one.user }),
      ...(one.application !== null && one.application !== '' && { application: one.application }),
      ...(one.client !== null && { client: one.client }),
      ...(one.state !== null && { state: one.state }),
      ...(one.wait !== null && { waits_for: one.wait }),
      ...(one.blockedBy.length > 0 && { blocked_by: one.blockedBy.slice(0, 20) }),
      transaction_seconds: rounded(one.transactionSeconds),
      state_seconds: rounded(one.stateSeconds),
      query: texts.shown(one.query, 300, one.application),
    }));
    const notes = seesAll
      ? []
      : ['What sessions of other users do is hidden from this user. GRANT pg_monitor shows it.'];
    const count = fittingItems(items, { notes });
    if (count < matching.length)
      notes.push(`${matching.length - count} more: narrow it with state, min_seconds or limit.`);
    return {
      sessions: items.slice(0, count),
      total: matching.length,
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  },
});
