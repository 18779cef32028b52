import type { OutboxEvent } from '../store/store.ts';
import { bodyOf, deliveryId, deliveryTrace, eventJson, type Origin, signature } from './envelope.ts';
import { createPoster } from './post.ts';
import { type Verdict, verdictOn } from './verdict.ts';
import type { Webhook } from './webhook.ts';

export interface Delivery extends Disposable {
  send(events: readonly OutboxEvent[]): Promise<Verdict>;
  /** Aborts the request in flight. */
  abort(): void;
}

/** Sends events to a webhook, signed if it has a secret, and returns the verdict on the answer. */
export function createDelivery(webhook: Webhook, origin: Origin, version: string): Delivery {
  const { name, secret } = webhook;
  const poster = createPoster(webhook.url, webhook.timeout);
  const stop = new AbortController();
  return {
    async send(events) {
      const delivery = deliveryId(name, events, origin);
      const texts = events.map((event) => eventJson(event, origin));
      const body = bodyOf(delivery, texts, webhook.batch === 1);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = {
        ...webhook.headers,
        'content-type': 'application/json',
        'user-agent': `sluice/${version}`,
        'x-sluice-webhook': name,
        'x-sluice-delivery': delivery,
        'x-sluice-timestamp': timestamp,
        ...(secret !== undefined && { 'x-sluice-signature': signature(secret, timestamp, body) }),
        traceparent: deliveryTrace(origin),
      };
      return verdictOn(await poster.post(body, headers, stop.signal));
    },
    abort: () => stop.abort(),
    [Symbol.dispose]: () => poster[Symbol.dispose](),
  };
}
