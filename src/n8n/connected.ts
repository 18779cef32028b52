import type { OpenBackups } from './backups/open-backups.ts';
import { backupSettings } from './backups/settings.ts';
import type { N8nConfig } from './settings.ts';
import { AppError } from '../kernel/errors.ts';
import type { Health } from '../kernel/health.ts';
import { late } from '../kernel/late.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { N8nSettings } from './client/client.ts';
import type { RequestLog } from './client/request-log.ts';
import type { OwnRecords } from './generate/records.ts';
import type { Instances } from './instances.ts';
import type { LocalConnection } from './local/keep.ts';
import { instancePlaces } from './local/places.ts';
import type { PromotionRecords } from './promotion/records.ts';
import type { LocalWatch } from './local/sight.ts';
import type { InstanceWatch, InstanceWatchDeps } from './watch-instances.ts';
import type { WithoutN8n } from './validation/without-n8n.ts';
import type { TemplateLibrary } from './templates/template.ts';
import type { AskedNodes } from '../nodes/asked/asked.ts';
import type { KeylessN8n, OwnKeys } from './owner/own-keys.ts';
import type { Catalogues } from '../nodes/catalogue.ts';
import type { OptionValues } from '../nodes/options/option-values.ts';

const LOCAL_TIMEOUT_MS = 30_000;

const comingHealth: Health = { name: 'local n8n', kind: 'local-n8n', state: 'starting' };

type Entry = N8nConfig['n8n'][string];

const settingsOf = ({ url, apiKey, login, owner, database, timeout: timeoutMs }: Entry): N8nSettings => ({
  url,
  timeoutMs,
  ...(apiKey !== undefined && { apiKey }),
  ...((login ?? owner) && { login: login ?? owner }),
  ...(database !== undefined && { database }),
});

export type ConnectedN8n = ReturnType<typeof createN8n>;

/** The configured n8n instances and the local one. Loads their code only when there is one: most gateways have none. */
export function createN8n(options: {
  home: string;
  config(): N8nConfig;
  /** This process is about to start the local n8n. */
  startsLocal?: boolean;
  /** Whether tools of the local n8n stay listed while it is not running. */
  keepsLocal?(): Promise<boolean>;
  /** Called when the local n8n started, moved or stopped, after the instances were updated. */
  localChanged?(): Promise<void>;
  addSources(sources: readonly ToolSource[]): void;
  catalogues: Catalogues;
  templates: TemplateLibrary;
  /** Counts which nodes are asked about. */
  asked?: AskedNodes;
  /** Records of the workflows we generate in n8n. */
  records: OwnRecords;
  promotions: PromotionRecords;
  /** Set when serving: polls the instances. A one-off command does not poll. */
  watch?: Pick<InstanceWatchDeps, 'events' | 'redact' | 'onReady'>;
  /** Opens the API keys that Sluice makes itself. `made` applies a new one. A one-off command makes none. */
  openKeys?(made: () => Promise<void>): Promise<OwnKeys>;
  /** Logs requests to the instances. */
  log?: RequestLog | undefined;
}) {
  const { home, config } = options;
  /** The current or last known connection to the local n8n. */
  let local: LocalConnection | undefined;
  let localWatch: LocalWatch | undefined;
  let instanceWatch: InstanceWatch | undefined;
  let localHealth: Health | undefined;
  let openedBackups: OpenBackups | undefined;
  let ownKeys: OwnKeys | undefined;
  const validation = () => config().validation;
  const isStarting = (name: string) => name === 'default' && isComing();
  /** The local n8n is starting and will be the default instance. */
  const isComing = () =>
    usesLocal() && (localWatch ? localWatch.sight().state === 'coming' : options.startsLocal === true);

  function settings(): Record<string, N8nSettings> {
    const found = local && { ...local, ...(localWatch && { presence: localWatch }) };
    const all: Record<string, N8nSettings> = found ? { default: { ...found, timeoutMs: LOCAL_TIMEOUT_MS } } : {};
    for (const [name, entry] of Object.entries(config().n8n)) {
      // The file wins. An entry without a key may only say how to run the local n8n.
      const own = name === 'default' && usesLocal() ? found : undefined;
      const made = entry.apiKey === undefined ? ownKeys?.get(name) : undefined;
      all[name] = {
        ...settingsOf(entry),
        ...(made !== undefined && { apiKey: made }),
        ...own,
        ...(entry.login && { login: entry.login }),
      };
    }
    return all;
  }

  /** Whether an entry names an n8n to connect to, rather than only how to run the local one. */
  const isReached = (name: string): boolean =>
    settings()[name]?.apiKey !== undefined || config().n8n[name]?.local === undefined;

  const load = late(async (): Promise<Instances> => {
    const [{ createInstances }, { watchInstances }, { openBackups }, { n8nSource }] = await Promise.all([
      import('./instances.ts'),
      import('./watch-instances.ts'),
      import('./backups/open-backups.ts'),
      import('./own-source.ts'),
    ]);
    const waiting = (name: string) => ownKeys?.waiting(name);
    const refused = (name: string) => ownKeys?.refused(name);
    instanceWatch = options.watch && watchInstances({ ...options.watch, isStarting, waiting, refused });
    const instances = createInstances(settings(), { heard: instanceWatch?.heard, log: options.log, isStarting });
    const { events, redact = (text: string) => text } = options.watch ?? {};
    openedBackups = openBackups(() => backupSettings(config().backups, home), { events, redact });
    const { backups } = openedBackups;
    (await standIn.begun()?.catch(() => undefined))?.withdraw();
    const { records, promotions, catalogues, templates, asked } = options;
    const deps = {
      instances,
      backups,
      records,
      promotions,
      catalogues,
      templates,
      validation,
      ...(asked && { asked }),
    };
    options.addSources([n8nSource(deps)]);
    return instances;
  });

  /** The tools that work without an n8n. */
  const standIn = late(async (): Promise<WithoutN8n> => {
    const { withoutN8n } = await import('./validation/without-n8n.ts');
    const { catalogues, templates } = options;
    const source = withoutN8n({ catalogues, templates, validation, isComing });
    options.addSources([source]);
    return source;
  });

  /** Notices from now on when the local n8n starts or stops, whoever starts it. */
  const watchLocal = late(async (): Promise<LocalWatch> => {
    const sight = await import('./local/sight.ts');
    const places = instancePlaces(home);
    using opening = new DisposableStack();
    const made = sight.watchLocal(places, {
      expected: options.startsLocal === true,
      async onChange(seen) {
        if (seen.state === 'ready') local = seen.connection;
        if (!localWatch || !usesLocal()) return;
        await configure();
        instanceWatch?.heard('default', seen.state === 'ready');
        await options.localChanged?.();
      },
      onRestart: (reason) =>
        options.watch?.events.record({
          type: 'n8n.local_failed',
          instance: 'default',
          reason: options.watch.redact(reason),
        }),
    });
    await opening.use(made).look();
    if (!local && (options.startsLocal || (await options.keepsLocal?.())))
      local = await (await import('./local/local.ts')).lastConnection(places);
    opening.move();
    return (localWatch = made);
  });

  /** Whether the local n8n may be the default instance: the file says nothing about how to sign in to `default`. */
  const usesLocal = () => config().n8n.default?.apiKey === undefined && config().n8n.default?.owner === undefined;

  /** The instances for which Sluice makes an API key. */
  function keyless(): Map<string, KeylessN8n> {
    return new Map(
      Object.entries(config().n8n).flatMap(([name, { url, apiKey, owner }]) =>
        apiKey === undefined && owner ? [[name, { url, owner }]] : [],
      ),
    );
  }

  const openKeys = late(async () => {
    const made = async () => {
      await configure();
      await options.localChanged?.();
    };
    return (ownKeys = await options.openKeys?.(made));
  });

  async function configureKeys(): Promise<void> {
    const wanted = keyless();
    if (wanted.size > 0 || ownKeys) await (await openKeys())?.configure(wanted);
  }

  /** Applies the current configuration. */
  async function configure(): Promise<void> {
    await watchLocal();
    if (!load.begun() && Object.keys(settings()).length === 0) {
      await standIn();
      return;
    }
    await configureKeys();
    const instances = await load();
    instances.configure(settings());
    instanceWatch?.configure(
      instances
        .names()
        .filter(isReached)
        .map((name) => instances.get(name)),
    );
    if (options.watch) await openedBackups?.begin();
  }

  /** Looks up the possible values of a node's parameters. */
  async function lookUp(): Promise<OptionValues> {
    const instances = await load.begun();
    if (!instances) throw new AppError('unsupported', 'No n8n is connected.');
    const { createOptionValues } = await import('./nodes/option-values.ts');
    return createOptionValues(instances);
  }
  const optionValues: OptionValues = {
    isConnected: () => load.begun() !== undefined && Object.keys(settings()).length > 0,
    credential: async (...asked) => (await lookUp()).credential(...asked),
    read: async (...asked) => (await lookUp()).read(...asked),
  };

  return {
    configure,
    optionValues,
    names: () => Object.keys(settings()),
    isStarting,
    isReached,
    /** Settings, with secrets, of every instance we connect to: for checks that ask more than `health`. */
    reached: () => Object.fromEntries(Object.entries(settings()).filter(([name]) => isReached(name))),
    /** Resolves after every instance was polled once. */
    looked: async () => instanceWatch?.looked(),
    /** Reports new health of the n8n that this gateway runs. */
    localIs(health: Health): void {
      localHealth = health;
    },
    health: (): Health[] => [
      ...(localHealth ? [localHealth] : []),
      // Another process is starting it: `sluice n8n up`.
      ...(!localHealth && !load.begun() && isComing() ? [comingHealth] : []),
      ...(instanceWatch?.health() ?? []),
      ...(openedBackups?.health() ?? []),
    ],
    /** The watched instances. */
    seen: () => instanceWatch?.seen() ?? [],
    /** For doctor: asks the bucket of the backups. */
    checkBackups: async (signal: AbortSignal) => (await openedBackups?.check(signal)) ?? [],
    async [Symbol.asyncDispose](): Promise<void> {
      await ownKeys?.[Symbol.asyncDispose]();
      localWatch?.[Symbol.dispose]();
      instanceWatch?.[Symbol.dispose]();
      await openedBackups?.[Symbol.asyncDispose]();
    },
    /** Undefined if no n8n is configured. */
    instances: async () => load.begun(),
    /** The instances and their backups; undefined if no n8n is configured. */
    async kept() {
      const instances = await load.begun();
      return instances && openedBackups && { instances, backups: openedBackups.backups };
    },
    backupSettings: () => backupSettings(config().backups, home),
    /** Call when the local n8n is ready. */
    connect: async (): Promise<void> => (await watchLocal.begun())?.look(),
    /** Whether the default instance is the local n8n. */
    isLocal: () => local !== undefined && usesLocal(),
    /** Secrets of the local n8n and keys that Sluice made, to redact. Not quite one is the id of the key for S3, which names an account. */
    secrets: () => [
      ...(local ? [local.apiKey, local.login.password] : []),
      ...(ownKeys?.secrets() ?? []),
      ...(config().backups.s3 ? [config().backups.s3?.accessKeyId ?? ''] : []),
    ],
    /** Says why there are no n8n tools; empty if there are. */
    unavailable: () =>
      Object.keys(settings()).length > 0 || localHealth || isComing()
        ? []
        : [{ name: 'n8n', reason: 'no n8n is configured: set N8N_URL and N8N_API_KEY, or run `sluice n8n up`' }],
  };
}
