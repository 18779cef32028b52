import type { Json } from '../kernel/source.ts';
import type { Connection, Listener } from '../wire/service.ts';

export type Changed = 'tools' | 'prompts' | 'resources';

const methods: Record<
  Changed,
  { method: string; filter: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged' }
> = {
  tools: { method: 'notifications/tools/list_changed', filter: 'toolsListChanged' },
  prompts: { method: 'notifications/prompts/list_changed', filter: 'promptsListChanged' },
  resources: { method: 'notifications/resources/list_changed', filter: 'resourcesListChanged' },
};

const DEBOUNCE_MS = 50;

/** Tells clients of every era what changed: once for a burst, and only what they asked for or can use. */
export function createNotices() {
  const connections = new Set<Connection>();
  const listeners = new Set<Listener>();
  const watched = new Map<Connection, Set<string>>();
  const due = new Set<Changed>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const changes = [...due];
    due.clear();
    for (const change of changes) {
      const { method, filter } = methods[change];
      for (const connection of connections) connection.notify(method);
      for (const listener of listeners) if (listener.filter[filter]) listener.deliver(method, {});
    }
  }

  return {
    connections,
    listeners,
    changed(changes: Iterable<Changed>): void {
      for (const change of changes) due.add(change);
      timer ??= setTimeout(flush, DEBOUNCE_MS);
    },
    watch(connection: Connection, uri: string): boolean {
      const uris = watched.get(connection) ?? new Set();
      watched.set(connection, uris);
      if (uris.has(uri)) return false;
      uris.add(uri);
      return true;
    },
    unwatch(connection: Connection, uri: string): boolean {
      return watched.get(connection)?.delete(uri) ?? false;
    },
    /** Forgets a connection; what it watched is returned. */
    forget(connection: Connection): string[] {
      const uris = [...(watched.get(connection) ?? [])];
      watched.delete(connection);
      connections.delete(connection);
      return uris;
    },
    updated(uri: string, params: Json): void {
      const method = 'notifications/resources/updated';
      for (const [connection, uris] of watched) if (uris.has(uri)) connection.notify(method, { ...params, uri });
      for (const listener of listeners)
        if (listener.filter.resourceSubscriptions?.includes(uri)) listener.deliver(method, { ...params, uri });
    },
    [Symbol.dispose](): void {
      clearTimeout(timer);
    },
  };
}
