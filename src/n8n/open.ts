import type { Embedding } from '../embedder/part.ts';
import type { GatewayApi } from '../gateway/open.ts';
import type { Check } from '../host/check.ts';
import type { OpenPart } from '../host/part.ts';
import type { Terminal } from '../host/terminal.ts';
import type { Nodes } from '../nodes/open.ts';
import { createN8n, type ConnectedN8n } from './connected.ts';
import { drawingRoutes } from './drawing/routes.ts';
import { ownRecords } from './generate/records.ts';
import type { InstancePlaces } from './local/places.ts';
import { promotionRecords } from './promotion/records.ts';
import { backupRoutes } from './routes/backup-routes.ts';
import type { N8nHost } from './settings.ts';
import { openTemplates } from './templates/open.ts';

const CHECK_MS = 15_000;

/** What a bridge provides for the local n8n. */
export interface LocalUse {
  /** Whether its tools stay listed while it is not running. */
  keepsLocal(): Promise<boolean>;
  /** Called when it started, moved or stopped, after the instances were updated. */
  localChanged(): Promise<void>;
  /** Writes the hook file through which it reports changes, and returns its path. */
  hookFile(places: InstancePlaces): Promise<string>;
}

export interface N8n extends ConnectedN8n {
  /** Registers a bridge that uses the local n8n. Call it before `begin`. */
  usedBy(bridge: LocalUse): void;
  /** `serve --with-n8n`: runs the local n8n until the result is disposed. */
  startLocal(terminal: Terminal): Promise<AsyncDisposable>;
}

export async function openN8n(
  host: N8nHost,
  { embedder, gateway, nodes }: { embedder: Embedding; gateway: GatewayApi; nodes: Nodes },
): Promise<OpenPart<N8n>> {
  const { home, events, redact, log, store } = host;
  const { catalogues } = nodes;
  const users: LocalUse[] = [];
  const templates = openTemplates(host, embedder.load);
  const n8n = createN8n({
    home,
    config: host.settings,
    startsLocal: host.startsN8n,
    async keepsLocal() {
      for (const user of users) if (await user.keepsLocal()) return true;
      return false;
    },
    async localChanged() {
      for (const user of users) await user.localChanged();
    },
    records: ownRecords(store.settings),
    promotions: promotionRecords(store.tables),
    addSources: gateway.addSources,
    catalogues,
    templates,
    asked: nodes.asked,
    watch: { events, redact, onReady: catalogues.found },
    async openKeys(made) {
      const { createOwnKeys } = await import('./owner/own-keys.ts');
      const { settings: stored } = store;
      return createOwnKeys({ stored, records: ownRecords(stored), shared: host.shared, events, redact, made });
    },
    log,
  });
  nodes.from({ names: n8n.names, isStarting: n8n.isStarting, options: n8n.optionValues });

  async function check(signal: AbortSignal): Promise<Check[]> {
    const [{ n8nCheck }, { partCheck, withTimes }] = await Promise.all([
      import('./check.ts'),
      import('../host/check.ts'),
    ]);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
    const now = Date.now();
    const health = n8n.health();
    const named = (name: string) => health.find((one) => one.name === name);
    const asked = Object.entries(n8n.reached()).map(async ([name, settings]) => {
      const found = await n8nCheck(name, settings, limited, named(`n8n ${name}`));
      const known = named(found.check);
      return known ? withTimes(found, known, now) : found;
    });
    const others = health
      .filter(({ kind }) => !['n8n', 'backups'].includes(kind))
      .flatMap((one) => partCheck(one, now));
    return [...(await Promise.all(asked)), ...others, ...(await n8n.checkBackups(limited))];
  }

  return {
    api: {
      ...n8n,
      usedBy: (bridge) => void users.push(bridge),
      async startLocal(terminal) {
        const { startLocalN8n } = await import('./local/start.ts');
        return startLocalN8n(host, terminal, n8n, users[0]?.hookFile);
      },
    },
    routes: [
      ...drawingRoutes({
        gateway,
        catalogues,
        clients: n8n.instances,
        seen: n8n.seen,
        health: n8n.health,
        redact,
        stopping: host.stopping,
      }),
      ...backupRoutes({
        gateway,
        connected: n8n.kept,
        settings: n8n.backupSettings,
        redact,
        stopping: host.stopping,
      }),
    ],
    health: n8n.health,
    secrets: n8n.secrets,
    absent: n8n.unavailable,
    check,
    begin: n8n.configure,
    reload: n8n.configure,
    async [Symbol.asyncDispose]() {
      await n8n[Symbol.asyncDispose]();
      await templates[Symbol.asyncDispose]();
    },
  };
}
