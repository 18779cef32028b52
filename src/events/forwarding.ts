import type { DeliveryLog } from './facts.ts';
import type { Store } from '../store/store.ts';
import type { Origin } from './envelope.ts';
import type { Forwarder } from './forwarder.ts';
import type { Webhook, WebhookStatus } from './webhook.ts';

export interface Forwarding extends AsyncDisposable {
  /** Applies new settings. Webhooks that did not change keep running. */
  configure(webhooks: readonly Webhook[]): Promise<void>;
  /** The status of each webhook; empty if there is none. */
  report(): { webhooks?: WebhookStatus[] };
  /** The queue, for the metrics; undefined if there is no webhook. */
  outbox(): Outbox | undefined;
}

export interface Outbox {
  /** Events not delivered yet. */
  readonly depth: number;
  /** Events set aside because the receiver refuses them. */
  readonly dead: number;
  readonly oldestSeconds: number;
}

export interface ForwardingDeps {
  store: Pick<Store, 'outbox' | 'settings' | 'shared'>;
  events: DeliveryLog;
  version: string;
  redact(text: string): string;
}

/** Sends events to webhooks. While there is one, Sluice answers a call only after its events are stored durably. */
export function createForwarding({ store, events, version, redact }: ForwardingDeps): Forwarding {
  const running = new Map<string, { settings: string; forwarder: Forwarder }>();
  let origin: Origin | undefined;

  const { shared } = store;

  const wake = () => {
    for (const { forwarder } of running.values()) forwarder.wake();
  };
  const look = () => {
    for (const { forwarder } of running.values()) forwarder.look();
  };
  const listening = new DisposableStack();
  listening.defer(events.onStored(wake));
  listening.use(shared.hear('events', wake));
  listening.use(shared.hear('replicas', look));
  const status = () => [...running.values()].map(({ forwarder }) => forwarder.status());

  return {
    async configure(webhooks) {
      const wanted = new Map(webhooks.map((webhook) => [webhook.name, webhook]));
      for (const [name, { settings, forwarder }] of running) {
        if (JSON.stringify(wanted.get(name)) === settings) continue;
        running.delete(name);
        await forwarder[Symbol.asyncDispose]();
      }
      if (webhooks.length > 0) {
        const { originOf } = await import('./envelope.ts');
        origin ??= originOf(await store.settings.secret('events'));
      }
      for (const webhook of webhooks) {
        if (running.has(webhook.name) || !origin) continue;
        // Create its position before the first call, so that it receives the events of that call.
        await store.outbox.open(webhook.name);
        const { startForwarder } = await import('./forwarder.ts');
        const forwarder = startForwarder(webhook, {
          outbox: store.outbox,
          events,
          origin,
          version,
          redact,
          peers: shared.peers,
          released: () => shared.peers && shared.tell('replicas'),
        });
        running.set(webhook.name, { settings: JSON.stringify(webhook), forwarder });
      }
      events.relyOn(running.size > 0);
    },
    report: () => (running.size > 0 ? { webhooks: status() } : {}),
    outbox() {
      const all = status();
      if (all.length === 0) return undefined;
      const times = all.flatMap(({ oldest }) => (oldest === undefined ? [] : [Date.parse(oldest)]));
      return {
        // All webhooks read the same events: count the one that is farthest behind.
        depth: Math.max(...all.map(({ waiting }) => waiting)),
        dead: all.reduce((sum, { dead }) => sum + dead, 0),
        oldestSeconds: times.length === 0 ? 0 : Math.max(0, (Date.now() - Math.min(...times)) / 1000),
      };
    },
    async [Symbol.asyncDispose]() {
      listening.dispose();
      await Promise.all([...running.values()].map(({ forwarder }) => forwarder[Symbol.asyncDispose]()));
      running.clear();
    },
  };
}
