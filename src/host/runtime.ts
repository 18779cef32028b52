import { mkdir } from 'node:fs/promises';
import { AppError, messageOf } from '../kernel/errors.ts';
import { auditTypes } from '../kernel/events.ts';
import type { FactTable, Level } from '../kernel/facts.ts';
import { fileTrouble, thisUser } from '../kernel/file-errors.ts';
import { late } from '../kernel/late.ts';
import { createRedactor } from '../kernel/redact.ts';
import type { Route } from '../kernel/route.ts';
import { createEventLog, upToDate } from '../store/event-log.ts';
import { storeHealth } from '../store/health.ts';
import { openStore } from '../store/open.ts';
import type { StoreSettings } from '../store/settings.ts';
import type { Migrations } from '../store/store.ts';
import type { Check } from './check.ts';
import { createConfigHealth } from './config/health.ts';
import { ConfigError, type Loaded, type LoadOptions, loadConfig, problemLines, problemsIn } from './config/load.ts';
import { needRestart } from './config/at-start.ts';
import type { References } from './config/references.ts';
import { changedKeys, type ConfigOf, schemaOf } from './config/schema.ts';
import { watchConfig } from './config/watch.ts';
import { hostFacts } from './facts.ts';
import { cacheDirectory } from './home.ts';
import { type Log, logged } from './log/log.ts';
import { openServerLog } from './log/server-log.ts';
import { type NamedPart, openParts } from './open.ts';
import type { OpenFiles } from './open-files.ts';
import type { ApisOf, Parts } from './part.ts';
import { closeOwn, findExposed, placesOf } from './permissions.ts';
import type { StartOptions } from './place.ts';
import type { ServerSettings } from './server-settings.ts';

export interface RuntimeOptions extends LoadOptions, Omit<StartOptions, keyof LoadOptions> {
  version: string;
  /** Set by tests and benchmarks. */
  idleMs?: number;
  /** How often the secrets that the file refers to are read again. Set by tests. */
  refreshMs?: number;
}

/** The keys of the file that the host itself reads. */
interface OwnConfig {
  readonly server: ServerSettings;
  readonly store: StoreSettings;
  readonly redis?: string;
  readonly logLevel: Level;
  readonly logFormat?: 'json' | 'text';
}

export type Runtime<P extends Parts> = Awaited<ReturnType<typeof startParts<P>>>;

/** Everything behind the wire: configuration, store, events, log and the parts, opened and started. */
export async function startParts<P extends Parts>(parts: P, options: RuntimeOptions, first?: Loaded<ConfigOf<P>>) {
  const { home, cwd, version } = options;
  await using stack = new AsyncDisposableStack();
  const startedAt = Date.now();
  const facts = Object.assign(
    {},
    hostFacts,
    ...Object.values(parts).map((part) => part.facts as object | undefined),
  ) as FactTable;
  let loaded = first ?? (await loadConfig(parts, options));
  const config = () => loaded.config;
  const atStart = loaded.config;
  const schema = schemaOf(parts);
  const own = () => loaded.config as OwnConfig;
  const stopping = new AbortController();
  let sessions = () => 0;
  let isSettled = false;
  const open: NamedPart[] = [];

  await makeHome(home);
  const revealed = () => open.flatMap(({ part }) => part.revealed?.() ?? []);
  const redact = createRedactor(() => [
    ...loaded.secrets,
    ...open.flatMap(({ part }) => part.secrets?.() ?? []),
    ...revealed(),
  ]);
  const redactRevealed = createRedactor(revealed);
  const { logFormat } = own();
  const log =
    options.log &&
    stack.use(
      openServerLog({
        ...options.log,
        ...(logFormat && { pretty: logFormat === 'text' }),
        level: () => own().logLevel,
        redact,
        facts,
      }),
    );
  const { store: settings, redis } = own();
  const place = { home, version, settings, env: loaded.env, ...(redis !== undefined && { redis }) };
  const stored = stack.use(
    await openStore(place, { audit: auditTypes(facts), migrations: migrationsOf(parts), standIns: true }),
  );
  const buffered = stack.use(createEventLog(stored.events, { facts, redact }));
  const startIsTold = () => options.log?.pretty === true && !isSettled;
  const events = log ? logged(buffered, log, { facts, startIsTold }) : buffered;
  const store = { ...stored, events: upToDate(stored.events, events) };
  const configuration = createConfigHealth(loaded.file);
  const storeIs = storeHealth(events, stored.trouble, startedAt);
  let openFiles: OpenFiles | undefined;

  const opened = await openParts(
    parts,
    stack,
    {
      home,
      cwd,
      version,
      startedAt,
      cache: cacheDirectory(options.env),
      get env() {
        return loaded.env;
      },
      get file() {
        return loaded.file;
      },
      startsN8n: options.startsN8n === true,
      settings: config,
      server: () => own().server,
      sessions: () => sessions(),
      url() {
        const outside = own().server.publicUrl?.replace(/\/$/, '');
        return {
          ...(options.url !== undefined && { here: options.url }),
          ...(outside !== undefined && { outside }),
        };
      },
      store,
      shared: stored.shared,
      events,
      log,
      redact,
      holdsRevealed: (text) => redactRevealed(text) !== text,
      isSettled: () => isSettled,
      async configuration() {
        const { shownConfiguration } = await import('./config/shown.ts');
        const restart = needRestart(schema, atStart, loaded.config);
        return shownConfiguration({ loaded, restart, health: configuration, redact });
      },
      idleMs: options.idleMs,
      stopping: stopping.signal,
    },
    {
      open,
      claims: () => loaded.claims,
      health: () => [configuration.health(), ...(openFiles?.health() ?? []), storeIs()],
    },
  );
  await opened.begin();
  const settled = opened.settled().then(() => {
    isSettled = true;
  });
  if (log) void settled.then(() => warnOfExposed(log, home, loaded));

  /** Applies a new configuration. Whatever did not change keeps running. */
  async function reload(next: Loaded<ConfigOf<P>>): Promise<void> {
    const before = loaded.config;
    // Redact the old secrets too: they may still be valid.
    redact('');
    loaded = next;
    const { told, failed: raw } = await opened.reload();
    const failed = raw.map(redact);
    configuration.taken(next.file, failed);
    const sections = changedKeys(before, next.config);
    events.record({ type: 'gateway.config_reloaded', added: [], changed: [], removed: [], ...told, sections });
    for (const problem of failed) log?.write('error', `A part could not apply the new configuration: ${problem}`);
    const later = needRestart(schema, before, next.config);
    if (later.length > 0) log?.write('warn', `Restart the gateway to apply ${later.join(' and ')}.`);
  }

  /** The changed configuration is invalid: keep running with the old one. */
  function rejected(error: unknown): void {
    const problems = problemLines(error).map(redact);
    const found = problemsIn(error).map((one) => ({ ...one, message: redact(one.message), fix: redact(one.fix) }));
    configuration.rejected(found, problems);
    events.record({ type: 'gateway.config_rejected', problems });
  }

  /** The secrets that the file refers to cannot be read: keep running with those from before. */
  function kept(problems: readonly string[]): void {
    const safe = problems.map(redact);
    configuration.kept(safe);
    if (safe.length === 0) log?.write('info', 'The secrets that the configuration refers to can be read again.');
    for (const problem of safe) log?.write('warn', `${problem} The secrets from before are still used.`);
  }

  const owned = stack.move();
  return {
    apis: opened.apis as ApisOf<P>,
    home,
    version,
    store,
    shared: stored.shared,
    events,
    server: () => own().server,
    url: () => (options.url === undefined ? {} : { here: options.url }),
    log,
    settled,
    isSettled: () => isSettled,
    routes: open.flatMap(({ part }): readonly Route[] => part.routes ?? []),
    health: opened.all.health,
    absent: opened.all.absent,
    reload,
    /** Called once HTTP is served. `count` returns the number of open sessions. */
    served(count: () => number): void {
      sessions = count;
    },
    /**
     * Watches the file and the secrets that it refers to: applies changes, and reports what is wrong. Also looks whether
     * the process can still open files.
     */
    watch(): AsyncDisposable {
      const { file: found, paths } = loaded;
      const again = found === undefined ? options : { ...options, file: found };
      let latest = loaded.references;
      const fresh = late(async () => {
        const { refreshing } = await import('./config/refresh.ts');
        return refreshing({ changed: () => watching.again(), kept }, options.refreshMs);
      });
      const follow = (references: References | undefined) => {
        latest = references;
        const following = references ? fresh() : fresh.begun();
        following
          ?.then((one) => one.follow(latest))
          .catch((error: unknown) => {
            log?.write('error', `Sluice cannot watch the secrets that the file refers to: ${messageOf(error)}`);
          });
      };
      const known = () => [loaded.references, latest].filter((one) => one !== undefined);
      const watching = watchConfig(
        () => loadConfig(parts, { ...again, known: known() }),
        paths,
        async (next) => {
          await reload(next);
          follow(next.references);
        },
        (error) => {
          rejected(error);
          // What it lacks may come: then it is tried again.
          if (error instanceof ConfigError && error.references) follow(error.references);
        },
        (outcome) => {
          if ('loaded' in outcome) return outcome.loaded.paths;
          return outcome.error instanceof ConfigError ? outcome.error.paths : undefined;
        },
      );
      follow(latest);
      const looking = import('./open-files.ts').then(({ watchOpenFiles }) => {
        openFiles = watchOpenFiles((message) => log?.write('error', message));
      });
      return {
        async [Symbol.asyncDispose]() {
          await looking;
          openFiles?.[Symbol.dispose]();
          (await fresh.begun()?.catch(() => undefined))?.[Symbol.dispose]();
          await watching[Symbol.asyncDispose]();
        },
      };
    },
    /** The checks of `sluice doctor`. */
    async *check(signal: AbortSignal): AsyncGenerator<Check> {
      const { examine } = await import('./doctor.ts');
      const health = () => ({
        host: [configuration.health(), ...(openFiles?.health() ?? [])],
        store: storeIs(),
      });
      yield* examine({ home, store, opened, loaded: () => loaded, own: health, redact }, signal);
    },
    /** Ends streams, which would never end on their own. */
    stop: (): void => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await owned.disposeAsync();
    },
  };
}

/** The migrations of each part. */
export const migrationsOf = (parts: Parts): ReadonlyMap<string, Migrations> =>
  new Map(Object.entries(parts).flatMap(([name, { migrations }]) => (migrations ? [[name, migrations]] : [])));

/** Logs a warning about files with secrets that other users could open. */
async function warnOfExposed(log: Log, home: string, loaded: Loaded): Promise<void> {
  for (const { path, problem, fix } of await findExposed(placesOf(home, loaded)))
    log.write('warn', `${path} ${problem}. Fix it: ${fix}`);
}

async function makeHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await closeOwn(home);
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const what = isFile ? 'is a file, not a directory' : fileTrouble(error);
    const message = `The data directory ${home} ${what}. Set SLUICE_HOME to a directory that ${thisUser()} can write to.`;
    throw new AppError('invalid_input', message, { cause: error });
  }
}
