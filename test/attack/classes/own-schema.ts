import { Client } from 'pg';
import { as, attack, type AttackClass, either, everyMode, type Oracle, type Scene, type Wire } from '../attack.ts';
import { asked, callBody, confirmIn, resultOf } from '../blueprint-calls.ts';
import { replicaStage } from '../stages.ts';

const MEMORY = 'canary-of-the-memory';

/** As the user of the database's administrator, past the gateway. */
async function behind<T>(scene: Scene, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: scene.services.postgres?.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const insertKey = (tag: string) =>
  `insert into sluice.keys (id, hash, value) values ('${tag}', '\\x00', '{"name":"${tag}","scopes":["admin"]}')`;

/** There is a key that nobody created. */
const hasKey: Oracle = async (reply, scene, tag) => {
  const confirm = confirmIn(resultOf(reply));
  if (confirm !== undefined) throw new Error(`It waits for a confirmation: ${reply.body.slice(0, 300)}`);
  const { rows } = await behind(scene, (client) => client.query('select 1 from sluice.keys where id = $1', [tag]));
  return rows.length > 0 ? `sluice.keys has a row ${tag} with the scope admin` : undefined;
};

const showsMemory: Oracle = ({ body }) =>
  body.includes(MEMORY) ? `it shows somebody's memory: ${body.slice(0, 200)}` : undefined;

type Step = readonly [tool: string, args: object];

const execute = (sql: string): Step => ['postgres_execute', { sql }];
const query = (sql: string): Step => ['postgres_query', { sql }];

/** Sends it as a caller with the scopes of the module, and confirms it if it asks for that. */
async function sent(scene: Scene, [name, args]: Step): Promise<void> {
  const confirm = confirmIn(await scene.call('database', 'tools/call', { name, arguments: args }));
  if (confirm !== undefined) await scene.send(as(scene, 'database', callBody(name, { ...args, confirm })));
}

/** Does all but the last. */
async function last(scene: Scene, steps: readonly Step[]): Promise<Wire> {
  for (const step of steps.slice(0, -1)) await sent(scene, step);
  const [name, args] = steps.at(-1) as Step;
  return as(scene, 'database', callBody(name, args));
}

/** Functions that do it. Only a volatile one may write, and only an immutable one may be in an index: it calls the other. */
/** The store's own triggers call functions of its schema by their bare names. */
const PATH = 'set local search_path = sluice, public; ';

const asTrigger = (tag: string, body: string) =>
  execute(
    `create function public.f_${tag}() returns trigger language plpgsql as $f$ begin ${PATH}${body}; return null; end $f$`,
  );
const asVolatile = (tag: string, body: string) =>
  execute(
    `create function public.v_${tag}() returns int language plpgsql volatile as $f$ begin ${PATH}${body}; return 1; end $f$`,
  );
const asExpression = (tag: string, body = `perform public.v_${tag}()`, kind = 'create') =>
  execute(
    `${kind} function public.f_${tag}(n int) returns int language plpgsql immutable as $f$ begin ${body}; return n; end $f$`,
  );
const table = (tag: string) => execute(`create table public.t_${tag} (n int)`);
const filled = (tag: string) => execute(`create table public.t_${tag} as select 1 as n`);
const row = (tag: string) => execute(`insert into public.t_${tag} values (1)`);

const writes: readonly [string, (tag: string) => readonly Step[]][] = [
  ['a statement', (tag) => [execute(insertKey(tag))]],
  ['a block', (tag) => [execute(`do $f$ begin ${insertKey(tag)}; end $f$`)]],
  [
    'a statement in a text',
    (tag) => [
      execute(`do $f$ begin execute 'insert into sl' || 'uice.keys select ''${tag}'', ''\\x00'', ''{}'''; end $f$`),
    ],
  ],
  [
    'a trigger',
    (tag) => [
      table(tag),
      asTrigger(tag, insertKey(tag)),
      execute(
        `create trigger g_${tag} after insert on public.t_${tag} for each row execute function public.f_${tag}()`,
      ),
      row(tag),
    ],
  ],
  [
    'a trigger at the end of the transaction',
    (tag) => [
      table(tag),
      asTrigger(tag, insertKey(tag)),
      execute(
        `create constraint trigger g_${tag} after insert on public.t_${tag} deferrable initially deferred for each row execute function public.f_${tag}()`,
      ),
      row(tag),
    ],
  ],
  [
    'an index that is built without a transaction',
    (tag) => [
      filled(tag),
      asVolatile(tag, insertKey(tag)),
      asExpression(tag),
      execute(`create index concurrently i_${tag} on public.t_${tag} (public.f_${tag}(n))`),
    ],
  ],
  [
    'an index that is built again without a transaction',
    (tag) => [
      filled(tag),
      asExpression(tag, 'null'),
      execute(`create index i_${tag} on public.t_${tag} (public.f_${tag}(n))`),
      asVolatile(tag, insertKey(tag)),
      asExpression(tag, `perform public.v_${tag}()`, 'create or replace'),
      execute(`reindex table concurrently public.t_${tag}`),
    ],
  ],
  [
    'the statistics of an index',
    (tag) => [
      filled(tag),
      asExpression(tag, 'null'),
      execute(`create index i_${tag} on public.t_${tag} (public.f_${tag}(n))`),
      asVolatile(tag, insertKey(tag)),
      asExpression(tag, `perform public.v_${tag}()`, 'create or replace'),
      ['postgres_vacuum_table', { table: `public.t_${tag}`, analyze: true }],
    ],
  ],
  [
    'a rule',
    (tag) => [
      table(tag),
      execute(`create rule r_${tag} as on insert to public.t_${tag} do also ${insertKey(tag)}`),
      row(tag),
    ],
  ],
  [
    'a view that is filled later',
    (tag) => [
      asVolatile(tag, insertKey(tag)),
      asExpression(tag),
      execute(`create materialized view public.m_${tag} as select public.f_${tag}(1) as n with no data`),
      execute(`refresh materialized view public.m_${tag}`),
    ],
  ],
];

const read = (from: string) => `(select string_agg(to_jsonb(m)::text, ' ') from ${from} m)`;
const reads: readonly [string, (tag: string) => readonly Step[]][] = [
  ['a query', () => [query(`select ${read('sluice.memories')}`)]],
  [
    'a query of all schemas as XML',
    () => [query("select query_to_xml('select * from sluice.memories', true, false, '')")],
  ],
  ...[
    ['a function', 'sluice.memories'],
    ['a function with a sample', 'sluice.memories tablesample system(100)'],
    ['a function with a sample of rows', 'sluice.memories tablesample bernoulli(100)'],
  ].map(
    ([name, from]) =>
      [
        name as string,
        (tag: string) => [
          execute(
            `create function public.f_${tag}() returns text language plpgsql stable as $f$ declare found text; begin select string_agg(to_jsonb(m)::text, ' ') into found from (select * from ${from as string}) m; return found; end $f$`,
          ),
          query(`select public.f_${tag}()`),
        ],
      ] as [string, (tag: string) => readonly Step[]],
  ),
  [
    'a copy made by a trigger at the end of the transaction',
    (tag) => [
      table(tag),
      asTrigger(
        tag,
        `execute 'create table public.c_${tag} as select to_jsonb(m)::text as text from sluice.memories m'`,
      ),
      execute(
        `create constraint trigger g_${tag} after insert on public.t_${tag} deferrable initially deferred for each row execute function public.f_${tag}()`,
      ),
      row(tag),
      query(`select * from public.c_${tag}`),
    ],
  ],
];

export const ownSchemaClass: AttackClass = {
  name: 'own-schema',
  title: "Sluice's own tables, reached by the module for PostgreSQL where both use one database",
  stage: replicaStage,
  async prepare(scene) {
    await asked(scene, 'admin', 'memory_store', { text: MEMORY, namespace: 'of-admin' });
  },
  attacks: [
    ...writes.map(([name, steps]) =>
      attack(`makes a key by ${name}`, everyMode, (scene, tag) => last(scene, steps(tag)), hasKey, ['postgres']),
    ),
    ...reads.map(([name, steps]) =>
      attack(`reads a memory by ${name}`, everyMode, (scene, tag) => last(scene, steps(tag)), showsMemory, [
        'postgres',
      ]),
    ),
  ],
  controls: [
    attack(
      'a key that the store makes is seen',
      everyMode,
      async (scene, tag) => {
        await behind(scene, (client) => client.query(insertKey(tag)));
        return { method: 'GET', path: '/health' };
      },
      hasKey,
      ['postgres'],
    ),
    attack(
      'an admin reads the memory',
      everyMode,
      async (scene) => as(scene, 'admin', callBody('memory_search', { query: MEMORY, namespace: 'of-admin' })),
      either(showsMemory),
      ['postgres'],
    ),
  ],
};
