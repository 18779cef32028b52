import type { DeliveryLog } from './facts.ts';
import type { Store } from '../store/store.ts';
import type { Origin } from './envelope.ts';
import type { Forwarder } from './forwarder.ts';
import type { Webhook, WebhookStatus } from './webhook.ts';

export interface Forwarding extends AsyncDisposable {
  /** Takes other webhooks over; those that did not change go on. */
  configure(webhooks: readonly Webhook[]): Promise<void>;
  /** How each is doing; empty without a webhook. */
  report(): { webhooks?: WebhookStatus[] };
  /** For the metrics: how much is on its way; undefined without a webhook. */
  outbox(): Outbox | undefined;
}

export interface Outbox {
  /** Not delivered yet. */
  readonly depth: number;
  /** Set aside, because the receiver refuses them. */
  readonly dead: number;
  readonly oldestSeconds: number;
}

export interface ForwardingDeps {
  store: Pick<Store, 'outbox' | 'settings'>;
  events: DeliveryLog;
  version: string;
  redact(text: string): string;
}

/** Sends events to webhooks. While there is one, a call is answered only when its events outlive this process. */
export function createForwarding({ store, events, version, redact }: ForwardingDeps): Forwarding {
  const running = new Map<string, { settings: string; forwarder: Forwarder }>();
  let origin: Origin | undefined;

  const stopListening = events.onStored(() => {
    for (const { forwarder } of running.values()) forwarder.wake();
  });
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
        // Its place is made before the first call that it must hear of.
        await store.outbox.open(webhook.name);
        const { startForwarder } = await import('./forwarder.ts');
        const forwarder = startForwarder(webhook, { outbox: store.outbox, events, origin, version, redact });
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
        // They are places in the same events: the one that is farthest behind counts.
        depth: Math.max(...all.map(({ waiting }) => waiting)),
        dead: all.reduce((sum, { dead }) => sum + dead, 0),
        oldestSeconds: times.length === 0 ? 0 : Math.max(0, (Date.now() - Math.min(...times)) / 1000),
      };
    },
    async [Symbol.asyncDispose]() {
      stopListening();
      await Promise.all([...running.values()].map(({ forwarder }) => forwarder[Symbol.asyncDispose]()));
      running.clear();
    },
  };
}
