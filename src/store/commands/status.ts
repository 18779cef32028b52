import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exit } from '../../cli/frame.ts';
import { table } from '../../cli/table.ts';
import { configOption, jsonOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import { shortDuration } from '../../host/short-duration.ts';
import type { Verb } from '../../kernel/command.ts';
import type { StorePlace } from '../settings.ts';
import { megabytes } from './megabytes.ts';
import type { PostgresLook, ReplicaLook } from '../postgres/look.ts';

/** A replica that was not heard of for so long is dead. */
const DEAD_MS = 12_000;

interface OnMachine {
  readonly path: string;
  readonly what: string;
}

type Seen =
  | ({ readonly engine: 'sqlite'; readonly where: string; readonly here: readonly OnMachine[] } & SqliteLook)
  | ({
      readonly engine: 'postgres';
      readonly where: string;
      /** At most this many connections for each replica. */
      readonly budget: number;
      readonly here: readonly OnMachine[];
    } & PostgresLook);

interface SqliteLook {
  readonly version?: string;
  readonly store?: {
    readonly sizeBytes: number;
    readonly schema: Readonly<Record<string, number>>;
    readonly rows: Readonly<Record<string, number>>;
    readonly key: { readonly from: 'sluice.key'; readonly state: 'there' | 'missing' };
  };
}

export function statusVerb(place: Place): Verb {
  return {
    summary: 'Shows where everything is stored, how much there is, and who uses it (the default)',
    usage: '[--json]',
    example: 'sluice store status --json',
    options: { config: configOption, json: jsonOption },
    async run({ values }) {
      const { place: where } = await place.whichStore(textIn(values, 'config'));
      const seen = await look(where, onThisMachine(place, where));
      if (values.json) place.terminal.print(JSON.stringify(seen, null, 2));
      else place.terminal.print(linesOf(seen, place.terminal.width).join('\n'));
      return exit.done;
    },
  };
}

async function look(place: StorePlace, here: readonly OnMachine[]): Promise<Seen> {
  const { settings, home } = place;
  if (settings.kind === 'sqlite') {
    const file = join(home, 'sluice.db');
    return { engine: 'sqlite', where: file, here, ...(await lookAtSqlite(home, file)) };
  }
  const { addressOf, openDatabase, placeOf, lookAtPostgres } = await import('./postgres.ts');
  const address = addressOf(settings.url);
  await using database = openDatabase(address, 1, 'sluice store status');
  const found = await lookAtPostgres(database, place);
  return { engine: 'postgres', where: placeOf(address), budget: settings.connections, here, ...found };
}

async function lookAtSqlite(home: string, file: string): Promise<SqliteLook> {
  if (!existsSync(file)) return {};
  const { openSnapshot } = await import('../sqlite/snapshot.ts');
  using snapshot = openSnapshot(file);
  return {
    version: snapshot.version,
    store: {
      sizeBytes: [file, `${file}-wal`].reduce(
        (sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
      schema: Object.fromEntries(snapshot.versions),
      rows: Object.fromEntries([...snapshot.tables.keys()].map((name) => [name, snapshot.count(name)])),
      key: { from: 'sluice.key', state: existsSync(join(home, 'sluice.key')) ? 'there' : 'missing' },
    },
  };
}

/** What is on this machine and in no database. */
function onThisMachine({ home, cache }: Place, { settings }: StorePlace): OnMachine[] {
  const all: OnMachine[] = [
    ...(settings.kind === 'postgres'
      ? [
          { path: join(home, 'sluice.db'), what: 'an embedded store that is not used' },
          { path: join(home, 'sluice.key'), what: 'a key of a store' },
        ]
      : []),
    { path: join(home, 'nodes'), what: 'the node catalogue' },
    { path: join(home, 'backups'), what: 'backups of workflows' },
    { path: join(home, 'n8n'), what: 'a local n8n' },
    { path: join(home, 'hooks'), what: 'hook files for n8n' },
    { path: cache, what: 'the cache: downloads, and what is computed from them' },
  ];
  return all.filter(({ path }) => existsSync(path));
}

function linesOf(seen: Seen, width: number | undefined): string[] {
  const { store } = seen;
  const facts: string[][] = [
    ['store', `${nameOf(seen)}, ${seen.where}`],
    ...(store
      ? [
          ['size', megabytes(store.sizeBytes)],
          [
            'schema',
            Object.entries(store.schema)
              .map(([part, version]) => `${part} ${version}`)
              .join(', '),
          ],
          ['key', keyLine(store.key)],
        ]
      : [['state', 'no Sluice has used it yet: the first start creates everything']]),
  ];
  if (seen.engine === 'postgres') {
    const { own, server, limit } = seen.connections;
    facts.push(
      ['transport', seen.encrypted ? 'TLS' : 'not encrypted'],
      [
        'connections',
        `${own} of Sluice, ${server} of at most ${limit} on the server; each replica uses up to ${seen.budget}`,
      ],
    );
    if (seen.store?.copy) {
      const { source, startedAt, finishedAt } = seen.store.copy;
      const when = finishedAt === undefined ? `begun ${startedAt}, not finished` : finishedAt;
      facts.push(['copied', `from ${source}, ${when}`]);
    }
  }
  const lines = table(facts, width);
  if (seen.engine === 'postgres' && seen.store) lines.push('', ...replicaLines(seen.store, width));
  if (store) {
    const counts = Object.entries(store.rows).map(([name, count]) => [name, String(count)]);
    lines.push('', ...table([['TABLE', 'ROWS'], ...counts], width));
  }
  if (seen.here.length > 0)
    lines.push('', ...table([['ONLY ON THIS MACHINE', ''], ...seen.here.map(({ path, what }) => [path, what])], width));
  return lines;
}

const nameOf = (seen: Seen): string =>
  seen.engine === 'sqlite'
    ? `SQLite${seen.version === undefined ? '' : ` ${seen.version}`}`
    : `PostgreSQL ${seen.version}`;

const keyStates = {
  right: 'opens the store',
  wrong: 'does not open the store: set it to the key that the other replicas use',
  missing: 'is missing here: set SLUICE_SECRET_KEY to the key that the other replicas use',
  unreadable: 'cannot be read: set SLUICE_SECRET_KEY to the key that the other replicas use',
  first: 'becomes the key of the store at the first start',
  there: 'in the data directory',
};

const keyLine = ({ from, state }: { from: string; state: keyof typeof keyStates }): string =>
  state === 'missing' && from === 'sluice.key' ? `${from} ${keyStates.missing}` : `${from} ${keyStates[state]}`;

function replicaLines({ replicas, leases }: NonNullable<PostgresLook['store']>, width: number | undefined): string[] {
  if (replicas.length === 0) return ['No replica runs.'];
  const leads = (id: string) =>
    leases.filter(({ replica, leftMs }) => replica === id && leftMs > 0).map(({ task }) => task);
  const head = ['REPLICA', 'HOST', 'PID', 'VERSION', 'STATE', 'SEEN', 'ADDRESS', 'LEADS'];
  const rows = replicas.map((one) => [
    one.id,
    one.host,
    String(one.pid),
    one.version,
    stateOf(one),
    `${shortDuration(Math.max(0, one.seenMs))} ago`,
    one.url ?? '-',
    leads(one.id).join(' ') || '-',
  ]);
  return table([head, ...rows], width);
}

const stateOf = ({ seenMs, draining }: ReplicaLook): string =>
  seenMs > DEAD_MS ? 'gone' : draining ? 'draining' : 'alive';
