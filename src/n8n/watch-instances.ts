import { messageOf } from '../kernel/errors.ts';
import type { N8nEvents } from './facts.ts';
import type { Health } from '../kernel/health.ts';
import type { N8nClient } from './client/client.ts';
import { setWhere } from './client/set-where.ts';
import { pageVersion } from './nodes/instance-types.ts';
import { reach } from './reach.ts';

export interface InstanceWatch extends Disposable {
  /** Takes these over; one whose settings changed is looked at anew. */
  configure(clients: readonly N8nClient[]): void;
  /** A call reached it, or did not. Where that is news, it is looked at now. */
  heard(instance: string, reached: boolean): void;
  /** Settles when each has answered once, or has not. */
  looked(): Promise<void>;
  health(): Health[];
}

export interface InstanceWatchDeps {
  events: N8nEvents;
  redact(text: string): string;
  /** One that did not answer, or was never asked, does. */
  onReady?(instance: string): void;
  /** It is being started here: nobody has to be told that it does not answer yet. */
  isStarting?(instance: string): boolean;
  everyMs?: number;
}

const EVERY_MS = 20_000;
const FIRST_RETRY_MS = 1000;

interface Watched {
  readonly client: N8nClient;
  state: 'starting' | 'ready' | 'failing';
  /** Of n8n, where it says so. */
  version?: string | undefined;
  since: number;
  lastError?: { message: string; at: string };
  failures: number;
  retryAt?: number;
  timer?: NodeJS.Timeout;
  isLooking: boolean;
  first?: Promise<void>;
  learning?: Promise<void>;
}

/** Looks at every n8n now and then, and at once where a call failed: what is down is known before somebody calls. */
export function watchInstances({
  events,
  redact,
  onReady,
  isStarting,
  everyMs = EVERY_MS,
}: InstanceWatchDeps): InstanceWatch {
  const watched = new Map<string, Watched>();
  const stopping = new AbortController();

  async function look(one: Watched): Promise<void> {
    if (one.isLooking || stopping.signal.aborted) return;
    one.isLooking = true;
    clearTimeout(one.timer);
    try {
      await reach(one.client, stopping.signal);
      succeeded(one);
    } catch (error) {
      if (!stopping.signal.aborted) failed(one, redact(messageOf(error)));
    }
    one.isLooking = false;
    if (watched.get(one.client.name) !== one || stopping.signal.aborted) return;
    const wait = one.failures === 0 ? everyMs : Math.min(FIRST_RETRY_MS * 2 ** (one.failures - 1), everyMs);
    if (one.failures > 0) one.retryAt = Date.now() + wait;
    one.timer = setTimeout(() => void look(one), wait).unref();
  }

  function succeeded(one: Watched): void {
    one.failures = 0;
    delete one.retryAt;
    if (one.state === 'ready') return;
    const now = Date.now();
    if (one.state === 'failing')
      events.record({ type: 'n8n.instance_recovered', instance: one.client.name, ms: now - one.since });
    one.state = 'ready';
    one.since = now;
    one.learning = learnVersion(one);
    onReady?.(one.client.name);
  }

  /** It may have been away for an update. */
  async function learnVersion(one: Watched): Promise<void> {
    one.version = await pageVersion(one.client.plain, stopping.signal).catch(() => undefined);
  }

  function failed(one: Watched, message: string): void {
    const { name } = one.client;
    // It may have been taken away, or got other settings, while it was asked.
    if (watched.get(name) !== one) return;
    one.failures = Math.min(one.failures + 1, 16);
    if (one.state !== 'failing' && isStarting?.(name)) return;
    one.lastError = { message, at: new Date().toISOString() };
    if (one.state === 'failing') return;
    one.state = 'failing';
    one.since = Date.now();
    events.record({ type: 'n8n.instance_failed', instance: name, reason: message });
  }

  function healthOf({ client, state, version, since, lastError, retryAt }: Watched): Health {
    const url = redact(client.url);
    const place = version === undefined ? url : `n8n ${version} at ${url}`;
    return {
      name: `n8n ${client.name}`,
      kind: 'n8n',
      state: state === 'ready' && !client.hasKey ? 'degraded' : state,
      since: new Date(since).toISOString(),
      detail: client.hasKey ? place : `${place} has no API key`,
      ...(!client.hasKey && {
        fix: `Make one in n8n under Settings > n8n API, and put it into ${setWhere(client.name, 'apiKey')}.`,
      }),
      ...(lastError && { lastError }),
      ...(retryAt !== undefined && { retryAt: new Date(retryAt).toISOString() }),
    };
  }

  return {
    configure(clients) {
      const names = new Set(clients.map(({ name }) => name));
      for (const [name, { timer }] of watched) {
        if (names.has(name)) continue;
        clearTimeout(timer);
        watched.delete(name);
      }
      for (const client of clients) {
        const known = watched.get(client.name);
        if (known?.client === client) continue;
        clearTimeout(known?.timer);
        const one: Watched = { client, state: 'starting', since: Date.now(), failures: 0, isLooking: false };
        watched.set(client.name, one);
        one.first = look(one);
      }
    },
    heard(instance, reached) {
      const one = watched.get(instance);
      if (one && !one.isLooking && reached !== (one.state === 'ready')) void look(one);
    },
    async looked() {
      for (const one of watched.values()) {
        await one.first;
        await one.learning;
      }
    },
    health: () => [...watched.values()].map(healthOf),
    [Symbol.dispose]() {
      stopping.abort();
      for (const { timer } of watched.values()) clearTimeout(timer);
    },
  };
}
