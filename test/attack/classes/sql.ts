import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import {
  as,
  attack,
  type AttackClass,
  call,
  everyMode,
  type Scene,
  shows,
  type Who,
  type Wire,
  withAuth,
} from '../attack.ts';
import { callBody, resultOf } from '../blueprint-calls.ts';
import { administrated } from '../database.ts';
import { stackStage } from '../stages.ts';

const CANARY = 'canary-of-another-session';

const cleanups = new WeakMap<Scene, AsyncDisposableStack>();

async function prepare(scene: Scene): Promise<void> {
  if (!scene.services.postgres) return;
  const stack = new AsyncDisposableStack();
  cleanups.set(scene, stack);
  // An application that uses the same database.
  const session = new Client({ connectionString: scene.services.postgres.url });
  stack.defer(() => session.end());
  await session.connect();
  await session.query('create schema private');
  await session.query(`create table private.secrets as select '${CANARY}'::text as word`);
  // What a session did last is what others see of it.
  await session.query(`select '${CANARY}'`);
}

const query = (scene: Scene, sql: string, module = 'limited') =>
  as(scene, 'owner', callBody(`${module}_query`, { sql }));

const sessions: readonly [string, string][] = [
  ['pg_stat_activity', 'select query from pg_stat_activity'],
  ['pg_stat_get_activity', 'select query from pg_stat_get_activity(null)'],
  ['pg_catalog.pg_stat_get_activity', 'select query from pg_catalog.pg_stat_get_activity(null::int)'],
  ['pg_stat_get_backend_activity', 'select pg_stat_get_backend_activity(id) from pg_stat_get_backend_idset() as id'],
];

const health: Wire = { method: 'GET', path: '/health' };

const SLOW = 'select count(*) from generate_series(1, 200000) a, generate_series(1, 200000) b';
/** The module wraps what it is asked. */
const IS_SLOW = 'position($1 in query) > 0 and pid <> pg_backend_pid()';
const SLOW_READS = 6;
const SAME_LOOKS = 20;

const slowOnes = async (session: Client): Promise<number> => {
  const sql = `select count(*)::int as count from pg_stat_activity where state = 'active' and ${IS_SLOW}`;
  return (await session.query<{ count: number }>(sql, [SLOW])).rows[0]?.count ?? 0;
};

/** Until as many of the slow ones run as may run at once. The gateway answers others in between, so it has had its turns. */
async function running(scene: Scene, session: Client): Promise<void> {
  for (let [same, before] = [0, 0]; same < SAME_LOOKS; ) {
    await scene.send(as(scene, 'other', { body: call('open__echo', { text: 'still there?' }) }));
    const count = await slowOnes(session);
    same = count > 0 && count === before ? same + 1 : 0;
    before = count;
  }
}

/** `owner` sends slow reads, and then somebody asks for one number. */
const starved = (name: string, who: Who) =>
  attack(
    name,
    withAuth,
    async (scene, tag) => {
      const slow = Array.from({ length: SLOW_READS }, () => scene.send(query(scene, SLOW, 'postgres')));
      await administrated(scene.services.postgres?.url, async (session) => {
        await running(scene, session);
        const answer = await scene.send(as(scene, who, callBody('postgres_query', { sql: 'select 41 + 1 as number' })));
        if (resultOf(answer)?.isError === true || !answer.body.includes('42'))
          scene.kept.set(`starved ${tag}`, `it was answered: ${answer.body.slice(0, 300)}`);
        else if ((await slowOnes(session)) === 0)
          scene.kept.set(`starved ${tag}`, 'it was answered when the slow ones had ended');
        const all = Promise.all(slow).then(() => true);
        for (let isOver = false; !isOver; ) {
          await session.query(`select pg_cancel_backend(pid) from pg_stat_activity where ${IS_SLOW}`, [SLOW]);
          isOver = await Promise.race([all, delay(100, false)]);
          scene.signal.throwIfAborted();
        }
      });
      return health;
    },
    (_, scene, tag) => scene.kept.get(`starved ${tag}`),
    ['postgres'],
  );

export const sqlClass: AttackClass = {
  name: 'sql',
  title: 'Other sessions, schemas and connections of PostgreSQL, by a caller of its module',
  stage: stackStage,
  inOrder: true,
  prepare,
  attacks: [
    ...sessions.map(([name, sql]) =>
      attack(`asks ${name}, limited to a schema`, everyMode, (scene) => query(scene, sql), shows(CANARY), ['postgres']),
    ),
    attack(
      'reads a table of another schema',
      everyMode,
      (scene) => query(scene, 'select word from private.secrets'),
      shows(CANARY),
      ['postgres'],
    ),
    starved('slow reads of one key take all connections', 'other'),
  ],
  controls: [
    attack(
      'a caller with all schemas reads the table',
      everyMode,
      (scene) => query(scene, 'select word from private.secrets', 'postgres'),
      shows(CANARY),
      ['postgres'],
    ),
    ...sessions.map(([name, sql]) =>
      attack(
        `a caller with all schemas asks ${name}`,
        everyMode,
        (scene) => query(scene, sql, 'postgres'),
        shows(CANARY),
        ['postgres'],
      ),
    ),
    starved('slow reads of a caller take the connections of the same caller', 'owner'),
  ],
  async finish(scene) {
    await cleanups.get(scene)?.disposeAsync();
  },
};
