import { Client } from 'pg';
import { as, attack, type AttackClass, everyMode, type Oracle, type Scene, shows, withKeys } from '../attack.ts';
import { callBody } from '../blueprint-calls.ts';
import { stackStage } from '../stages.ts';

const CANARY = 'canary-of-another-session';

/** Past the gateway, as an application that uses the same database. */
const connected = async (scene: Scene): Promise<Client> => {
  const client = new Client({ connectionString: scene.services.postgres?.url });
  await client.connect();
  return client;
};

const cleanups = new WeakMap<Scene, AsyncDisposableStack>();

async function prepare(scene: Scene): Promise<void> {
  if (!scene.services.postgres) return;
  const stack = new AsyncDisposableStack();
  cleanups.set(scene, stack);
  const session = await connected(scene);
  stack.defer(() => session.end());
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

const SLOW = 'select count(*) from generate_series(1, 200000) a, generate_series(1, 200000) b';
/** The module wraps what it is asked. */
const IS_SLOW = 'position($1 in query) > 0 and pid <> pg_backend_pid()';
const SLOW_READS = 6;
const SAME_LOOKS = 10;

/** Until the slow ones that may run at once do. */
async function running(scene: Scene): Promise<void> {
  const session = await connected(scene);
  try {
    const sql = `select count(*)::int as count from pg_stat_activity where state = 'active' and ${IS_SLOW}`;
    for (let [same, before] = [0, 0]; same < SAME_LOOKS; ) {
      const { rows } = await session.query<{ count: number }>(sql, [SLOW]);
      const count = rows[0]?.count ?? 0;
      same = count > 0 && count === before ? same + 1 : 0;
      before = count;
    }
  } finally {
    await session.end();
  }
}

const ended = new Map<string, boolean>();

/** The answer came only once one of the slow ones had ended. */
const waitedForOthers: Oracle = (reply, _, tag) =>
  ended.get(tag) === true ? `another caller's answer came after the slow ones: ${reply.body.slice(0, 200)}` : undefined;

const starved = attack(
  'slow reads of one key take all connections',
  withKeys,
  async (scene, tag) => {
    const slow = Array.from({ length: SLOW_READS }, () => scene.send(query(scene, SLOW, 'postgres')));
    const first = Promise.race(slow).then(() => ended.set(tag, true));
    await running(scene);
    const answer = scene.send(as(scene, 'other', callBody('postgres_query', { sql: 'select 1' })));
    await Promise.race([answer, first]);
    const session = await connected(scene);
    await session.query(`select pg_cancel_backend(pid) from pg_stat_activity where ${IS_SLOW}`, [SLOW]);
    await session.end();
    const isStarved = ended.get(tag) === true;
    await Promise.all([...slow, answer]);
    ended.set(tag, isStarved);
    return { method: 'GET', path: '/health' };
  },
  waitedForOthers,
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
    starved,
  ],
  controls: [
    attack(
      'a caller with all schemas reads the table',
      everyMode,
      (scene) => query(scene, 'select word from private.secrets', 'postgres'),
      shows(CANARY),
      ['postgres'],
    ),
  ],
  async finish(scene) {
    await cleanups.get(scene)?.disposeAsync();
  },
};
