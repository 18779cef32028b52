import { AppError, toAppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Upstream } from '../../wire/upstream.ts';

const AGAIN_MS = 1000;
const AGAIN_MAX_MS = 60_000;

/** Subscriptions at a backend: list changes, and resources that clients watch. */
export function createUpstreamSubscriptions(options: {
  ask(upstream: Upstream, method: string, params: Json): ReturnType<Upstream['request']>;
  envelope(): Json;
  notified(method: string, params: Json): void;
  /** Notifications work again after a gap, and changes may have been missed. */
  missed(upstream: Upstream): void;
}) {
  /** How many clients watch a resource, and whether subscribing to it worked. */
  const watchers = new Map<string, { count: number; asked: Promise<void>; failed?: boolean }>();
  let current: Upstream | undefined;
  /** Streams that are open or opening, oldest first. */
  let streams: AbortController[] = [];

  const isModern = () => current?.handshake.era === 'modern';

  /** In 2026, one stream names everything that is watched. To change it, open a new stream, then close the old one. */
  function listen(lost = 0): void {
    const upstream = current;
    if (!upstream || upstream.ended) return;
    const { capabilities } = upstream.handshake;
    const has = (list: string, flag: string) => isObject(capabilities[list]) && capabilities[list][flag] === true;
    const notifications: Json = {
      ...(has('tools', 'listChanged') && { toolsListChanged: true }),
      ...(has('prompts', 'listChanged') && { promptsListChanged: true }),
      ...(has('resources', 'listChanged') && { resourcesListChanged: true }),
      ...(has('resources', 'subscribe') && watchers.size > 0 && { resourceSubscriptions: [...watchers.keys()] }),
    };
    if (Object.keys(notifications).length === 0) return endStreams(streams.length, 'Nothing is watched.');
    const stream = new AbortController();
    streams.push(stream);
    let tries = lost;
    const again = () => {
      const newest = streams.at(-1) === stream;
      streams = streams.filter((other) => other !== stream);
      if (current !== upstream || upstream.ended || !newest) return;
      const retry = () => current === upstream && streams.length === 0 && listen(tries + 1);
      setTimeout(retry, Math.min(AGAIN_MAX_MS, AGAIN_MS * 2 ** tries)).unref();
    };
    upstream
      .request(
        'subscriptions/listen',
        { notifications, _meta: options.envelope() },
        {
          idleMs: Number.POSITIVE_INFINITY,
          stop: stream.signal,
          onNotification(method, params) {
            if (method !== 'notifications/subscriptions/acknowledged') return options.notified(method, params);
            endStreams(streams.indexOf(stream), 'Another stream took over.');
            if (lost > 0) options.missed(upstream);
            tries = 0;
          },
        },
      )
      .then(again, (error: unknown) => {
        if (toAppError(error).code !== 'cancelled') again();
      });
  }

  function endStreams(oldest: number, why: string): void {
    for (const stream of streams.splice(0, oldest)) stream.abort(new AppError('cancelled', why));
  }

  async function subscribe(method: 'resources/subscribe' | 'resources/unsubscribe', uri: string): Promise<void> {
    if (!current) return;
    if (isModern()) return listen();
    const answer = await options.ask(current, method, { uri });
    if ('error' in answer) throw new AppError('unsupported', answer.error.message);
  }

  function ask(watcher: { asked: Promise<void>; failed?: boolean }, uri: string): Promise<void> {
    watcher.failed = false;
    watcher.asked = subscribe('resources/subscribe', uri);
    watcher.asked.catch(() => {
      watcher.failed = true;
    });
    return watcher.asked;
  }

  return {
    /** Subscribes again on a new connection. */
    attach(upstream: Upstream): void {
      current = upstream;
      // The connection before may still be open, if another one takes over.
      endStreams(streams.length, 'Another connection took over.');
      if (isModern()) return listen();
      for (const [uri, watcher] of watchers) void ask(watcher, uri).catch(() => {});
    },
    /** Needs a `remove` even if it fails: a failed subscription is tried again with the next connection. */
    add(uri: string): Promise<void> {
      const known = watchers.get(uri) ?? { count: 0, asked: Promise.resolve(), failed: true };
      watchers.set(uri, known);
      known.count++;
      return known.failed ? ask(known, uri) : known.asked;
    },
    async remove(uri: string): Promise<void> {
      const known = watchers.get(uri);
      if (!known || --known.count > 0) return;
      watchers.delete(uri);
      await subscribe('resources/unsubscribe', uri).catch(() => {});
    },
    /** The watched URIs, each with its number of watchers. */
    watched: (): [uri: string, count: number][] => [...watchers].map(([uri, { count }]) => [uri, count]),
    /** Takes over the subscriptions of the backend that this one replaces. */
    inherit(watched: readonly [uri: string, count: number][]): void {
      for (const [uri, count] of watched) watchers.set(uri, { count, asked: Promise.resolve() });
    },
  };
}
