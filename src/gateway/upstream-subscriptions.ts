import { AppError, toAppError } from '../kernel/errors.ts';
import type { Json } from '../kernel/source.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Upstream } from '../wire/upstream.ts';

/** What a backend is asked to report: list changes, and resources that somebody downstream watches. */
export function createUpstreamSubscriptions(options: {
  ask(upstream: Upstream, method: string, params: Json): ReturnType<Upstream['request']>;
  envelope(): Json;
  notified(method: string, params: Json): void;
}) {
  const watchers = new Map<string, number>();
  let current: Upstream | undefined;
  let listening: AbortController | undefined;

  const isModern = () => current?.handshake.era === 'modern';

  /** 2026: one stream names all that is watched; a change of it is a new stream, opened before the old one is closed. */
  function listen(): void {
    const upstream = current;
    if (!upstream) return;
    const { capabilities } = upstream.handshake;
    const has = (list: string, flag: string) => isObject(capabilities[list]) && capabilities[list][flag] === true;
    const notifications: Json = {
      ...(has('tools', 'listChanged') && { toolsListChanged: true }),
      ...(has('prompts', 'listChanged') && { promptsListChanged: true }),
      ...(has('resources', 'listChanged') && { resourcesListChanged: true }),
      ...(has('resources', 'subscribe') && watchers.size > 0 && { resourceSubscriptions: [...watchers.keys()] }),
    };
    const previous = listening;
    if (Object.keys(notifications).length === 0)
      return previous?.abort(new AppError('cancelled', 'Nothing is watched.'));
    const abort = new AbortController();
    listening = abort;
    const again = () => {
      if (current === upstream && listening === abort)
        setTimeout(() => current === upstream && listening === abort && listen(), 1000).unref();
    };
    upstream
      .request(
        'subscriptions/listen',
        { notifications, _meta: options.envelope() },
        {
          idleMs: Number.POSITIVE_INFINITY,
          signal: abort.signal,
          onNotification(method, params) {
            if (method === 'notifications/subscriptions/acknowledged')
              previous?.abort(new AppError('cancelled', 'Another stream took over.'));
            else options.notified(method, params);
          },
        },
      )
      .then(again, (error: unknown) => {
        if (toAppError(error).code !== 'cancelled') again();
      });
  }

  async function subscribe(method: 'resources/subscribe' | 'resources/unsubscribe', uri: string): Promise<void> {
    if (!current) return;
    if (isModern()) return listen();
    const answer = await options.ask(current, method, { uri });
    if ('error' in answer) throw new AppError('unsupported', answer.error.message);
  }

  return {
    /** A new connection: what was watched before is watched again. */
    attach(upstream: Upstream): void {
      current = upstream;
      listening = undefined;
      if (isModern()) return listen();
      for (const uri of watchers.keys()) subscribe('resources/subscribe', uri).catch(() => {});
    },
    async add(uri: string): Promise<void> {
      const count = watchers.get(uri) ?? 0;
      watchers.set(uri, count + 1);
      if (count > 0) return;
      await subscribe('resources/subscribe', uri).catch((error: unknown) => {
        watchers.delete(uri);
        throw error;
      });
    },
    async remove(uri: string): Promise<void> {
      const count = watchers.get(uri) ?? 0;
      if (count > 1) return void watchers.set(uri, count - 1);
      if (watchers.delete(uri)) await subscribe('resources/unsubscribe', uri).catch(() => {});
    },
    watched: (): string[] => [...watchers.keys()],
  };
}
