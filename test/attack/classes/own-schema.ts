import type { Client } from 'pg';
import { as, attack, type AttackClass, everyMode, type Oracle, type Scene, type Wire } from '../attack.ts';
import { asked, callBody, confirmIn, resultOf } from '../blueprint-calls.ts';
import { administrated } from '../database.ts';
import { replicaStage } from '../stages.ts';

const MEMORY = 'canary-of-the-memory';

const behind = <T>(scene: Scene, work: (client: Client) => Promise<T>): Promise<T> =>
  administrated(scene.services.postgres?.url, work);

const OWN = 'sluice';
/** Tables like those of Sluice that the user of `apart` may use: there, every attack has to succeed. */
const DECOY = 'decoy';

const insertKey = (tag: string, own: string) =>
  `insert into ${own}.keys (id, hash, value) values ('${tag}', '\\x00', '{"name":"${tag}","scopes":["admin"]}')`;

/** There is a key that nobody created. */
const hasKeyIn =
  (schema: string): Oracle =>
  async (reply, scene, tag) => {
    const confirm = confirmIn(resultOf(reply));
    if (confirm !== undefined) throw new Error(`It waits for a confirmation: ${reply.body.slice(0, 300)}`);
    const { rows } = await behind(scene, (client) => client.query(`select 1 from ${schema}.keys where id = $1`, [tag]));
    return rows.length > 0 ? `${schema}.keys has a row ${tag} with the scope admin` : undefined;
  };

const showsMemory: Oracle = ({ body }) =>
  body.includes(MEMORY) ? `it shows somebody's memory: ${body.slice(0, 200)}` : undefined;

type Step = readonly [tool: string, args: object];

const execute = (sql: string): Step => ['execute', { sql }];
const query = (sql: string): Step => ['query', { sql }];

/** As a caller with the scopes of the modules, who confirms what is to be confirmed. All but the last is done. */
async function last(scene: Scene, module: string, steps: readonly Step[]): Promise<Wire> {
  for (const [index, [tool, args]] of steps.entries()) {
    const name = `${module}_${tool}`;
    const confirm = confirmIn(await scene.call('database', 'tools/call', { name, arguments: args }));
    const wire = as(scene, 'database', callBody(name, { ...args, ...(confirm !== undefined && { confirm }) }));
    if (index === steps.length - 1) return wire;
    if (confirm !== undefined) await scene.send(wire);
  }
  throw new Error('There are no steps.');
}

/** `own` is the schema that it is about. */
type Way = readonly [name: string, steps: (tag: string, own: string) => readonly Step[]];

/** The store's own triggers call functions of its schema by their bare names. */
const path = (own: string) => `set local search_path = ${own}, public; `;

// Functions that do it. Only a volatile one may write, and only an immutable one may be in an index: it calls the other.

const asTrigger = (tag: string, own: string, body: string) =>
  execute(
    `create function public.f_${tag}() returns trigger language plpgsql as $f$ begin ${path(own)}${body}; return null; end $f$`,
  );
const asVolatile = (tag: string, own: string, body = insertKey(tag, own)) =>
  execute(
    `create function public.v_${tag}() returns int language plpgsql volatile as $f$ begin ${path(own)}${body}; return 1; end $f$`,
  );
const asExpression = (tag: string, body = `perform public.v_${tag}()`, kind = 'create') =>
  execute(
    `${kind} function public.f_${tag}(n int) returns int language plpgsql immutable as $f$ begin ${body}; return n; end $f$`,
  );
const table = (tag: string) => execute(`create table public.t_${tag} (n int)`);
const filled = (tag: string) => execute(`create table public.t_${tag} as select 1 as n`);
const row = (tag: string) => execute(`insert into public.t_${tag} values (1)`);

const writes: readonly Way[] = [
  ['a statement', (tag, own) => [execute(insertKey(tag, own))]],
  [
    'a statement that a function puts together',
    (tag, own) => [
      filled(tag),
      asVolatile(
        tag,
        own,
        `execute ${Array.from(insertKey(tag, own), (one) => `chr(${one.codePointAt(0)})`).join(' || ')}`,
      ),
      execute(`update public.t_${tag} set n = public.v_${tag}() where n = 1`),
    ],
  ],
  [
    'a trigger',
    (tag, own) => [
      table(tag),
      asTrigger(tag, own, insertKey(tag, own)),
      execute(
        `create trigger g_${tag} after insert on public.t_${tag} for each row execute function public.f_${tag}()`,
      ),
      row(tag),
    ],
  ],
  [
    'a trigger at the end of the transaction',
    (tag, own) => [
      table(tag),
      asTrigger(tag, own, insertKey(tag, own)),
      execute(
        `create constraint trigger g_${tag} after insert on public.t_${tag} deferrable initially deferred for each row execute function public.f_${tag}()`,
      ),
      row(tag),
    ],
  ],
  [
    'an index that is built without a transaction',
    (tag, own) => [
      filled(tag),
      asVolatile(tag, own),
      asExpression(tag),
      execute(`create index concurrently i_${tag} on public.t_${tag} (public.f_${tag}(n))`),
    ],
  ],
  [
    'an index that is built again without a transaction',
    (tag, own) => [
      filled(tag),
      asExpression(tag, 'null'),
      execute(`create index i_${tag} on public.t_${tag} (public.f_${tag}(n))`),
      asVolatile(tag, own),
      asExpression(tag, `perform public.v_${tag}()`, 'create or replace'),
      execute(`reindex table concurrently public.t_${tag}`),
    ],
  ],
  [
    'the statistics of an index',
    (tag, own) => [
      filled(tag),
      asExpression(tag, 'null'),
      execute(`create index i_${tag} on public.t_${tag} (public.f_${tag}(n))`),
      asVolatile(tag, own),
      asExpression(tag, `perform public.v_${tag}()`, 'create or replace'),
      ['vacuum_table', { table: `public.t_${tag}`, analyze: true }],
    ],
  ],
  [
    'a view that is filled later',
    (tag, own) => [
      asVolatile(tag, own),
      asExpression(tag),
      execute(`create materialized view public.m_${tag} as select public.f_${tag}(1) as n with no data`),
      execute(`refresh materialized view public.m_${tag}`),
    ],
  ],
];

const read = (from: string) => `(select string_agg(to_jsonb(m)::text, ' ') from ${from} m)`;
const reads: readonly Way[] = [
  ['a query', (_, own) => [query(`select ${read(`${own}.memories`)}`)]],
  ...[
    ['a function', ''],
    ['a function with a sample', ' tablesample system(100)'],
    ['a function with a sample of rows', ' tablesample bernoulli(100)'],
  ].map(
    ([name = '', sample]): Way => [
      name,
      (tag, own) => [
        execute(
          `create function public.f_${tag}() returns text language plpgsql stable as $f$ declare found text; begin select string_agg(to_jsonb(m)::text, ' ') into found from (select * from ${own}.memories${sample}) m; return found; end $f$`,
        ),
        query(`select public.f_${tag}()`),
      ],
    ],
  ),
  [
    'the statistics of a column',
    (_, own) => [query(`select histogram_bounds::text as text from pg_stats where schemaname = '${own}'`)],
  ],
  [
    'a copy made by a trigger at the end of the transaction',
    (tag, own) => [
      table(tag),
      asTrigger(
        tag,
        own,
        `execute 'create table public.c_${tag} as select to_jsonb(m)::text as text from ${own}.memories m'`,
      ),
      execute(
        `create constraint trigger g_${tag} after insert on public.t_${tag} deferrable initially deferred for each row execute function public.f_${tag}()`,
      ),
      row(tag),
      query(`select * from public.c_${tag}`),
    ],
  ],
];

/** What no module carries out, whatever it is about. */
const neverWrites: readonly Way[] = [
  ['a block', (tag, own) => [execute(`do $f$ begin ${insertKey(tag, own)}; end $f$`)]],
  [
    'a rule',
    (tag, own) => [
      table(tag),
      execute(`create rule r_${tag} as on insert to public.t_${tag} do also ${insertKey(tag, own)}`),
      row(tag),
    ],
  ],
];
const neverReads: readonly Way[] = [
  ['a query as XML', (_, own) => [query(`select query_to_xml('select * from ${own}.memories', true, false, '')`)]],
];

const sent = (words: string, module: string, schema: string, [makes, sees]: readonly (readonly Way[])[]) =>
  [
    ...(makes ?? []).map(([name, steps]) => [`makes a key by ${name}`, steps, hasKeyIn(schema)] as const),
    ...(sees ?? []).map(([name, steps]) => [`reads a memory by ${name}`, steps, showsMemory] as const),
  ].map(([name, steps, oracle]) =>
    attack(`${words} ${name}`, everyMode, (scene, tag) => last(scene, module, steps(tag, schema)), oracle, [
      'postgres',
    ]),
  );

const all = [
  [...writes, ...neverWrites],
  [...reads, ...neverReads],
];

export const ownSchemaClass: AttackClass = {
  name: 'own-schema',
  title: "Sluice's own tables, reached by the module for PostgreSQL where both use one database",
  stage: replicaStage,
  async prepare(scene) {
    // PostgreSQL keeps samples of a column from the second value on.
    for (const text of [MEMORY, `${MEMORY}, and another one`])
      await asked(scene, 'admin', 'memory_store', { text, namespace: 'of-admin' });
    await behind(scene, (client) =>
      client.query(`
        create schema ${DECOY};
        create table ${DECOY}.keys (like ${OWN}.keys including all);
        create table ${DECOY}.memories as select * from ${OWN}.memories;
        grant usage on schema ${DECOY} to ${scene.services.postgres?.apart.role};
        grant all on all tables in schema ${DECOY} to ${scene.services.postgres?.apart.role};
        analyze ${OWN}.memories;
        analyze ${DECOY}.memories`),
    );
  },
  attacks: [
    ...sent('who can reach the store', 'postgres', OWN, all),
    ...sent('who has no rights on it', 'apart', OWN, all),
  ],
  controls: sent('who has rights on other tables', 'apart', DECOY, [writes, reads]),
};
