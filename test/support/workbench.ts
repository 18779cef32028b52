/**
 * The tools for n8n, called as the gateway calls them (input and output checked), on a real n8n.
 *
 *   await using bench = await openWorkbench(workflowTools);       // the shared n8n, or N8N_TEST_URL and N8N_TEST_API_KEY
 *   const { workflow } = await bench.call('n8n_create_workflow', { name: bench.name('a'), nodes: [] });
 *   bench.name('a')      a name that no other suite uses; everything with such a name is removed at the end
 *   bench.client         the client itself, to check behind the tools' backs
 *   bench.failing = true every backup fails from here on
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../src/kernel/errors.ts';
import { callTool, previewTool } from '../../src/kernel/call.ts';
import type { CallContext, Json } from '../../src/kernel/source.ts';
import type { AnyTool } from '../../src/kernel/tool.ts';
import type { Backups } from '../../src/n8n/backups/backups.ts';
import { openBackups } from '../../src/n8n/backups/open-backups.ts';
import type { BackupSettings } from '../../src/n8n/backups/settings.ts';
import type { N8nClient, N8nSettings } from '../../src/n8n/client/client.ts';
import { listTables } from '../../src/n8n/find/data-tables.ts';
import { ownerOf } from '../../src/n8n/generate/owner.ts';
import type { OwnRecords } from '../../src/n8n/generate/records.ts';
import { createInstances, type Instances } from '../../src/n8n/instances.ts';
import { n8nMigrations } from '../../src/n8n/migrations.ts';
import { type PromotionRecords, promotionRecords } from '../../src/n8n/promotion/records.ts';
import type { N8nDeps } from '../../src/n8n/tool.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { testCatalogues } from './catalogue.ts';
import { startN8n, type TestN8n } from './n8n.ts';
import { removeGeneratedBy } from './remove-generated.ts';

export interface Workbench extends AsyncDisposable {
  readonly client: N8nClient;
  readonly url: string;
  readonly backups: Backups;
  readonly records: OwnRecords;
  promotions: PromotionRecords;
  readonly instances: Instances;
  /** The directory of the backups. */
  readonly directory: string;
  /** The instances whose node catalogue a tool had refreshed. */
  readonly refreshed: string[];
  failing: boolean;
  name(name: string): string;
  /** New clients and records over the same store, like a process that starts after a crash. */
  restart(): void;
  call<T = Json>(tool: string, args?: Json, signal?: AbortSignal): Promise<T>;
  /** What the tool says before it is confirmed; undefined if it would change nothing. */
  preview(tool: string, args?: Json): Promise<string | undefined>;
}

const none = () => Promise.reject(new Error('This workbench has no templates: pass `templates`.'));

/** For tools that use none. */
export const noTemplates: N8nDeps['templates'] = {
  get: none,
  search: none,
  suggest: none,
  sync: none,
  async [Symbol.asyncDispose]() {},
};

export type Reached = Pick<TestN8n, 'url' | 'apiKey'> & Partial<Pick<TestN8n, 'owner'>>;

const { N8N_TEST_URL, N8N_TEST_API_KEY, N8N_TEST_EMAIL, N8N_TEST_PASSWORD } = process.env;

/** The n8n that the environment names, else the one that all suites share. */
export async function reachN8n(): Promise<Reached> {
  if (N8N_TEST_URL === undefined || N8N_TEST_API_KEY === undefined) return startN8n();
  const login = N8N_TEST_EMAIL !== undefined && N8N_TEST_PASSWORD !== undefined;
  return {
    url: N8N_TEST_URL,
    apiKey: N8N_TEST_API_KEY,
    ...(login && { owner: { email: N8N_TEST_EMAIL, password: N8N_TEST_PASSWORD } }),
  };
}

export async function openWorkbench(
  tools: readonly AnyTool<N8nDeps>[],
  reached?: Reached,
  change: Partial<N8nSettings> = {},
  /** The directory of another workbench, other settings of backups, template libraries. */
  others?: { readonly directory?: string; readonly backupSettings?: Partial<BackupSettings> } & Partial<
    Pick<N8nDeps, 'templates' | 'asked'>
  >,
  /** Further n8n, by name. */
  more: Readonly<Record<string, Reached>> = {},
): Promise<Workbench> {
  const { url, apiKey, owner } = reached ?? (await reachN8n());
  const directory = others?.directory ?? (await mkdtemp(join(tmpdir(), 'sluice-backups-')));
  const settingsOf = (one: Reached): N8nSettings => ({
    url: one.url,
    apiKey: one.apiKey,
    timeoutMs: 30_000,
    ...(one.owner && { login: one.owner }),
  });
  const settings = { ...settingsOf({ url, apiKey, ...(owner && { owner }) }), ...change };
  const besides = Object.entries(more).map(([name, one]) => [name, settingsOf(one)] as const);
  const all: Record<string, N8nSettings> = { default: settings, ...Object.fromEntries(besides) };
  const instances = createInstances(all);
  const store = await openSqlite(':memory:', { migrations: new Map([['n8n', n8nMigrations]]) });
  const client = instances.get('default');
  const opened = openBackups(() => ({ directory, keep: 10, ...others?.backupSettings }), { redact: (text) => text });
  const kept = opened.backups;
  await opened.begin();
  const records = recordsInMemory();
  const deps = (): N8nDeps => ({
    instances,
    backups: bench.backups,
    records,
    promotions: bench.promotions,
    catalogues: { ...testCatalogues, refresh: (name = 'default') => void bench.refreshed.push(name) },
    templates: others?.templates ?? noTemplates,
    ...(others?.asked && { asked: others.asked }),
  });
  function named(name: string): AnyTool<N8nDeps> {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool;
  }
  const bench = {
    client,
    instances,
    records,
    promotions: promotionRecords(store.tables),
    url,
    directory,
    refreshed: [] as string[],
    failing: false,
    name: (name: string) => `${prefix}${name}`,
    restart() {
      for (const one of Object.values(all)) Object.assign(one, { timeoutMs: one.timeoutMs + 1 });
      instances.configure(all);
      bench.promotions = promotionRecords(store.tables);
    },
    backups: {
      ...kept,
      keep: (...args: Parameters<Backups['keep']>) => (bench.failing ? full() : kept.keep(...args)),
      keepTable: (...args: Parameters<Backups['keepTable']>) => (bench.failing ? full() : kept.keepTable(...args)),
    },
    async preview(name: string, args: Json = {}) {
      const context = { signal: new AbortController().signal } as Partial<CallContext> as CallContext;
      const shown = await previewTool(named(name), deps())({ name, arguments: args }, context);
      return shown.changes ? shown.says : undefined;
    },
    async call<T = Json>(name: string, args: Json = {}, signal = new AbortController().signal): Promise<T> {
      const context = { signal } as Partial<CallContext> as CallContext;
      const outcome = await callTool(named(name), deps())({ name, arguments: args }, context);
      if ('error' in outcome) throw new Error(outcome.error.message);
      return outcome.result.structuredContent as T;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
      if (others?.directory === undefined) await rm(directory, { recursive: true, force: true });
      const good = createInstances({ default: { url, apiKey, timeoutMs: 30_000 } }).get('default');
      if (records.used()) await removeGeneratedBy(good, await ownerOf(records));
      for await (const { id, name } of good.workflows.all()) {
        if (name.startsWith(prefix)) await good.workflows.delete(id);
      }
      for await (const { id, name } of good.tags.all()) if (name.startsWith(prefix)) await good.tags.delete(id);
      for (const { id, name } of (await listTables(good, new AbortController().signal)) ?? []) {
        if (name.startsWith(prefix)) await good.dataTables.delete(id);
      }
    },
  };
  const prefix = `t${Math.random().toString(36).slice(2, 7)}-`;
  return bench;
}

function recordsInMemory(): OwnRecords & { used(): boolean } {
  const kept = new Map<string, unknown>();
  const secrets = new Map<string, Buffer>();
  return {
    used: () => secrets.size > 0,
    get: async (key) => kept.get(key),
    async put(key, value) {
      kept.set(key, value);
    },
    async secret(key) {
      const known = secrets.get(key) ?? randomBytes(32);
      secrets.set(key, known);
      return known;
    },
  };
}

function full(): Promise<never> {
  return Promise.reject(new AppError('unavailable', 'The backup could not be written: the disk is full.'));
}
