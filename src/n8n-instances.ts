import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backupPlaces } from './config/backups-section.ts';
import type { Config } from './config/schema.ts';
import { AppError } from './kernel/errors.ts';
import type { ToolSource } from './kernel/source.ts';
import type { N8nSettings } from './n8n/client/client.ts';
import type { Instances } from './n8n/instances.ts';
import type { LocalConnection } from './n8n/local/keep.ts';
import type { WithoutN8n } from './n8n/validation/without-n8n.ts';
import type { Catalogues } from './nodes/catalogue.ts';
import type { OptionValues } from './nodes/option-values.ts';

const LOCAL_TIMEOUT_MS = 30_000;

type Entry = Config['n8n'][string];

const settingsOf = ({ url, apiKey, login, database, timeout: timeoutMs }: Entry): N8nSettings => ({
  url,
  timeoutMs,
  ...(apiKey !== undefined && { apiKey }),
  ...(login && { login }),
  ...(database !== undefined && { database }),
});

/** The n8n that the configuration names by address; one without a key may be there to say how the local one is run. */
export function n8nSettings({ n8n }: Pick<Config, 'n8n'>): Record<string, N8nSettings> {
  const reached = Object.entries(n8n).filter(([, { apiKey, local }]) => apiKey !== undefined || !local);
  return Object.fromEntries(reached.map(([name, entry]) => [name, settingsOf(entry)]));
}

/** The n8n of the configuration, and the local one. What they need is loaded when there is one: most gateways have none. */
export function createN8n(options: {
  home: string;
  config(): Config;
  addSources(sources: readonly ToolSource[]): void;
  catalogues: Catalogues;
}) {
  const { home, config } = options;
  let local: LocalConnection | undefined;
  let loading: Promise<Instances> | undefined;
  let standIn: Promise<WithoutN8n> | undefined;
  const validation = () => config().validation;

  function settings(): Record<string, N8nSettings> {
    const all: Record<string, N8nSettings> = local ? { default: { ...local, timeoutMs: LOCAL_TIMEOUT_MS } } : {};
    for (const [name, entry] of Object.entries(config().n8n)) {
      // One that the file names is the owner's word; one without a key may be there to say how the local one is run.
      const own = name === 'default' && entry.apiKey === undefined ? local : undefined;
      all[name] = { ...settingsOf(entry), ...own, ...(entry.login && { login: entry.login }) };
    }
    return all;
  }

  async function load(): Promise<Instances> {
    const [{ createInstances }, { createBackups }, { n8nPart }] = await Promise.all([
      import('./n8n/instances.ts'),
      import('./n8n/backups/create-backups.ts'),
      import('./n8n/part.ts'),
    ]);
    const instances = createInstances(settings());
    const backups = createBackups(() => backupPlaces(config().backups, home));
    (await standIn)?.withdraw();
    options.addSources(n8nPart({ instances, backups, catalogues: options.catalogues, validation }).sources);
    return instances;
  }

  /** What needs no n8n. */
  async function standInFor(): Promise<WithoutN8n> {
    const { withoutN8n } = await import('./n8n/validation/without-n8n.ts');
    const source = withoutN8n({ catalogues: options.catalogues, validation });
    options.addSources([source]);
    return source;
  }

  /** The local one that `sluice n8n up` has started, if it runs. */
  async function findLocal(): Promise<LocalConnection | undefined> {
    if (!existsSync(join(home, 'n8n'))) return undefined;
    const { connectLocal } = await import('./n8n/local/local.ts');
    return connectLocal(home).catch(() => undefined);
  }

  /** Takes the configuration over as it is now. */
  async function configure(): Promise<void> {
    local ??= await findLocal();
    if (!loading && Object.keys(settings()).length === 0) {
      standIn ??= standInFor();
      await standIn;
      return;
    }
    loading ??= load();
    (await loading).configure(settings());
  }

  /** Who looks up the values of a node's parameters. */
  async function lookUp(): Promise<OptionValues> {
    if (!loading) throw new AppError('unsupported', 'No n8n is connected.');
    const { createOptionValues } = await import('./n8n/nodes/option-values.ts');
    return createOptionValues(await loading);
  }
  const optionValues: OptionValues = {
    isConnected: () => loading !== undefined && Object.keys(settings()).length > 0,
    credential: async (...asked) => (await lookUp()).credential(...asked),
    read: async (...asked) => (await lookUp()).read(...asked),
  };

  return {
    configure,
    optionValues,
    names: () => Object.keys(settings()),
    /** Undefined where none is configured. */
    instances: async () => loading,
    /** The local n8n is ready, here. */
    async connect(connection: LocalConnection): Promise<void> {
      local = connection;
      await configure();
    },
    /** What must not be shown of the local one. */
    secrets: () => (local ? [local.apiKey, local.login.password] : []),
    /** Why there are no tools for n8n, where there are none. */
    unavailable: () =>
      Object.keys(settings()).length > 0
        ? []
        : [{ name: 'n8n', reason: 'no n8n is configured: set N8N_URL and N8N_API_KEY, or run `sluice n8n up`' }],
  };
}
