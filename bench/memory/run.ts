// npm run bench -- --memory, or npx node bench/memory/run.ts [sqlite|postgres] [MEMORIES]: a memory with many memories.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createEmbedder } from '../../src/embedder/embedder.ts';
import { openModel } from '../../src/embedder/models.ts';
import { passagesOf } from '../../src/memory/passages.ts';
import type { StoreSettings } from '../../src/store/settings.ts';
import { questions } from '../../test/recall/questions.ts';
import { createDatabase, postgresIsMissing } from '../../test/support/postgres.ts';
import { announce } from '../../test/support/services.ts';
import { type BesideFigures, measureBeside } from './beside.ts';
import { fill } from './filling.ts';
import { openMemoryAt } from './opened.ts';
import { measureSearches, type SearchFigures, type Timed } from './searches.ts';
import { memoryTexts } from './texts.ts';
import { vectorSupply } from './vectors.ts';
import { measureWrites, type WriteFigures } from './writes.ts';

const REAL_VECTORS = 1000;
const EVERY = 10_000;

interface Filled {
  readonly memories: number;
  readonly seconds: number;
  readonly bytes: number;
}

export interface MemoryFigures {
  readonly store: 'sqlite' | 'postgres';
  readonly memories: number;
  readonly passages: number;
  /** After each lot. */
  readonly filled: readonly Filled[];
  readonly search: SearchFigures;
  readonly write: WriteFigures;
  readonly beside: BesideFigures;
  readonly load: number;
}

type Say = (line: string) => void;

async function measureOne(
  root: string,
  say: Say,
  store: 'sqlite' | 'postgres',
  memories: number,
): Promise<MemoryFigures> {
  await using stack = new AsyncDisposableStack();
  const home = await mkdtemp(join(root, `${store}-`));
  announce({ directory: await mkdtemp(join(root, 'services-')), runner: process.pid });
  const database = store === 'postgres' ? stack.use(await createDatabase()) : undefined;
  const settings: StoreSettings = database
    ? { kind: 'postgres', url: database.url, connections: 5 }
    : { kind: 'sqlite' };
  const embedder = stack.use(createEmbedder());
  const model = openModel({ kind: 'packaged' }, { cache: home, load: async () => embedder });
  const some = [...memoryTexts(REAL_VECTORS)].flatMap((text) => [...passagesOf(text)]).slice(0, REAL_VECTORS);
  const vectorOf = await vectorSupply(model, some, say);
  const size = database ? () => databaseSize(database.url) : async () => (await stat(join(home, 'sluice.db'))).size;
  const asked = questions.map(({ text }) => text).slice(0, 100);

  const figures = await (async () => {
    await using opened = await openMemoryAt(home, settings, model);
    const filled: Filled[] = [];
    let last = performance.now();
    const { passages } = await fill(opened.engine, memoryTexts(memories), vectorOf, 'default', {
      every: EVERY,
      async done(count) {
        filled.push({ memories: count, seconds: (performance.now() - last) / 1000, bytes: await size() });
        say(`${store}: ${count} memories, ${Math.round((filled.at(-1)?.bytes ?? 0) / 1e6)} MB`);
        last = performance.now();
      },
    });
    if (database) await analysed(database.url);
    say(`${store}: searching ${memories}`);
    const search = await measureSearches(opened, asked);
    say(`${store}: writing`);
    const write = await measureWrites(opened, model, vectorOf, EVERY);
    return { passages, filled, search, write };
  })();
  say(`${store}: calls beside it`);
  const beside = await measureBeside(home, asked, database?.url);
  return { store, memories, ...figures, beside, load: loadavg()[0] ?? 0 };
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const databaseSize = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size');
    return Number(rows[0]?.size);
  });

/** As autovacuum does after a while. */
const analysed = (url: string) => withClient(url, (client) => client.query('VACUUM ANALYZE'));

export async function measureMemory(root: string, say: Say): Promise<MemoryFigures[]> {
  const figures = [await measureOne(root, say, 'sqlite', 100_000)];
  if (!postgresIsMissing)
    for (const memories of [20_000, 100_000]) figures.push(await measureOne(root, say, 'postgres', memories));
  return figures;
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
const mb = (bytes: number) => Math.round(bytes / 1e6);

export function memoryTable(all: readonly MemoryFigures[]): string {
  const head = all.map(({ store, memories }) => `${store === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${memories}`);
  const row = (label: string, cell: (figures: MemoryFigures) => string) =>
    `| ${label} | ${all.map(cell).join(' | ')} |`;
  const time = (of: (figures: MemoryFigures) => Timed) => (figures: MemoryFigures) => {
    const { p50, p95, cpu } = of(figures);
    return `${ms(p50)}, ${ms(p95)} (${ms(cpu)})`;
  };
  return [
    `| milliseconds: p50, p95 (CPU of the process) | ${head.join(' | ')} |`,
    `| --- | ${all.map(() => '--:').join(' | ')} |`,
    row(
      'search, without embedding the question',
      time(({ search }) => search.whole),
    ),
    row(
      'search, with embedding it',
      time(({ search }) => search.withModel),
    ),
    row(
      '150 passages by words',
      time(({ search }) => search.words),
    ),
    row(
      '150 passages by meaning',
      time(({ search }) => search.meaning),
    ),
    row(
      'the same among those with a tag',
      time(({ search }) => search.filtered),
    ),
    row(
      'reading up to 300 memories',
      time(({ search }) => search.read),
    ),
    row(
      'a page of 20',
      time(({ search }) => search.list),
    ),
    row(
      'statistics',
      time(({ search }) => search.stats),
    ),
    row(
      'storing one, without embedding it',
      time(({ write }) => write.store),
    ),
    row(
      'storing one, with embedding it',
      time(({ write }) => write.storeWithModel),
    ),
    row('import of 10,000, seconds', ({ write }) => ms(write.importSeconds)),
    row(
      'until they are embedded, seconds (estimated)',
      ({ write }) =>
        `${Math.round(write.toEmbed / write.embeddedPerSecond)} (${ms(write.embeddedPerSecond)} passages/s)`,
    ),
    row('of the ten nearest, found', ({ search }) => `${Math.round(search.overlap * 100)} %`),
    row('passages', ({ passages }) => String(passages)),
    row('filled, memories/s', ({ filled, memories }) =>
      String(Math.round(memories / filled.reduce((sum, { seconds }) => sum + seconds, 0))),
    ),
    row('size, MB', ({ filled }) => String(mb(filled.at(-1)?.bytes ?? 0))),
    row('growth for 10,000, MB', ({ filled }) => {
      const grown = filled.slice(1).map(({ bytes }, at) => mb(bytes - (filled[at]?.bytes ?? 0)));
      return `${Math.min(...grown)} to ${Math.max(...grown)}`;
    }),
    row('gateway before, after searches, MB', ({ beside }) => `${mb(beside.rss.before)}, ${mb(beside.rss.after)}`),
    ...[0, 1, 2].map((at) =>
      row(`echo calls during ${all[0]?.beside.calls[at]?.during}`, ({ beside }) => {
        const { p50 = 0, p95 = 0 } = beside.calls[at] ?? {};
        return `${p50.toFixed(2)}, ${p95.toFixed(2)}`;
      }),
    ),
    row('load of the machine', ({ load }) => load.toFixed(1)),
  ].join('\n');
}

if (import.meta.main) {
  const [store = 'sqlite', memories = '100000'] = process.argv.slice(2);
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    const figures = await measureOne(root, (line) => console.error(line), store as 'sqlite', Number(memories));
    console.log(JSON.stringify(figures));
    console.log(memoryTable([figures]));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
