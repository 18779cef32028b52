import { messageOf, toAppError } from '../kernel/errors.ts';
import type { N8nEvents } from './facts.ts';
import type { Health } from '../kernel/health.ts';
import type { N8nClient } from './client/client.ts';
import { setWhere } from './client/set-where.ts';
import type { Instances } from './drawing/shapes.ts';
import { DEFAULT_INSTANCE } from '../nodes/which-n8n.ts';
import { pageVersion } from './nodes/instance-types.ts';
import { reach } from './reach.ts';

export interface InstanceWatch extends Disposable {
  /** Watches these from now on. A new client, also one with changed settings, is polled at once. */
  configure(clients: readonly N8nClient[]): void;
  /** Reports whether a call reached the instance. If that contradicts the known state, it is polled now. */
  heard(instance: string, reached: boolean): void;
  /** Resolves after every instance was polled once. */
  looked(): Promise<void>;
  health(): Health[];
  /** The same with address and version apart. */
  seen(): Instances['instances'];
}

export interface InstanceWatchDeps {
  events: N8nEvents;
  redact(text: string): string;
  /** Called when an instance answers for the first time, or again after a failure. */
  onReady?(instance: string): void;
  /** Whether we are starting the instance ourselves: then no answer is not a failure. */
  isStarting?(instance: string): boolean;
  /** What a client without a key that n8n accepts waits for, if Sluice makes its key. */
  waiting?(instance: string): { readonly words: string; readonly failed: boolean } | undefined;
  /** n8n does not accept the key. */
  refused?(instance: string): void;
  everyMs?: number;
}

const EVERY_MS = 20_000;
const FIRST_RETRY_MS = 1000;

interface Watched {
  readonly client: N8nClient;
  state: 'starting' | 'ready' | 'failing';
  /** n8n's version, if known. */
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

const ownerHint = (name: string): string =>
  name === DEFAULT_INSTANCE
    ? 'Or set N8N_OWNER_EMAIL and N8N_OWNER_PASSWORD, and Sluice makes one.'
    : `Or set n8n.${name}.owner, and Sluice makes one.`;

/** What gives an n8n an API key. */
export const keyFix = (name: string): string =>
  `Create one in n8n under Settings > n8n API and set it in ${setWhere(name, 'apiKey')}. ${ownerHint(name)}`;

/** Polls every n8n regularly, and at once when a call failed, so that an outage is known before the next call. */
export function watchInstances({
  events,
  redact,
  onReady,
  isStarting,
  waiting,
  refused,
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
      if (toAppError(error).code === 'unauthenticated') refused?.(one.client.name);
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

  /** Read it after every outage: n8n may have been updated. */
  async function learnVersion(one: Watched): Promise<void> {
    one.version = await pageVersion(one.client.plain, stopping.signal).catch(() => undefined);
  }

  function failed(one: Watched, message: string): void {
    const { name } = one.client;
    // The instance was removed or got new settings while the request ran.
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
    const coming = waiting?.(client.name);
    const lacks = client.hasKey ? '' : ' has no API key';
    const keyless = coming && !coming.failed ? 'starting' : 'degraded';
    return {
      name: `n8n ${client.name}`,
      kind: 'n8n',
      state: state === 'ready' && !client.hasKey ? keyless : state,
      since: new Date(since).toISOString(),
      detail: `${place}${lacks}${coming ? `. ${coming.words}` : ''}`,
      ...(!client.hasKey && !coming && { fix: keyFix(client.name) }),
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
    seen: () =>
      [...watched.values()].map((one) => {
        const { client, version } = one;
        const { kind: _, ...told } = healthOf(one);
        return { ...told, name: client.name, url: redact(client.url), ...(version !== undefined && { version }) };
      }),
    [Symbol.dispose]() {
      stopping.abort();
      for (const { timer } of watched.values()) clearTimeout(timer);
    },
  };
}
