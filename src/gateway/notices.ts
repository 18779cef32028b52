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
/** Resources that one caller may watch on all connections together. */
const MOST_WATCHED = 10_000;

/** Ends the subscription of a watched resource at its backend. */
type Release = () => Promise<void>;

/** Notifies clients of both eras of changes: once for a burst, and only what they asked for or can use. */
export function createNotices() {
  const connections = new Set<Connection>();
  const listeners = new Set<Listener>();
  /** The capabilities each 2025 client got at initialize: it expects notices of nothing else. */
  const offered = new WeakMap<Connection, ReadonlySet<Changed>>();
  const watched = new Map<Connection, Map<string, Release>>();
  /** Watched resources by caller. */
  const counts = new Map<string, number>();
  const due = new Set<Changed>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const changes = [...due];
    due.clear();
    for (const change of changes) {
      const { method, filter } = methods[change];
      for (const connection of connections) if (offered.get(connection)?.has(change)) connection.notify(method);
      for (const listener of listeners) if (listener.filter[filter]) listener.deliver(method, {});
    }
  }

  function count(principal: string, more: number): void {
    const now = (counts.get(principal) ?? 0) + more;
    if (now > 0) counts.set(principal, now);
    else counts.delete(principal);
  }

  return {
    connections,
    listeners,
    /** How many more resources a caller may watch. */
    room: (principal: string): number => MOST_WATCHED - (counts.get(principal) ?? 0),
    listen(listener: Listener): void {
      listeners.add(listener);
      count(listener.principal.id, listener.filter.resourceSubscriptions?.length ?? 0);
    },
    unlisten(listener: Listener): void {
      if (listeners.delete(listener))
        count(listener.principal.id, -(listener.filter.resourceSubscriptions?.length ?? 0));
    },
    changed(changes: Iterable<Changed>): void {
      for (const change of changes) due.add(change);
      timer ??= setTimeout(flush, DEBOUNCE_MS);
    },
    offer(connection: Connection, capabilities: Json): void {
      const kinds = Object.keys(methods) as Changed[];
      offered.set(connection, new Set(kinds.filter((kind) => capabilities[kind] !== undefined)));
    },
    /** False if it is already watched. */
    watch(connection: Connection, uri: string, release: Release): boolean {
      const uris = watched.get(connection) ?? new Map<string, Release>();
      watched.set(connection, uris);
      if (uris.has(uri)) return false;
      uris.set(uri, release);
      count(connection.principal.id, 1);
      return true;
    },
    /** Stops watching; returns what to release, if it was watched. */
    unwatch(connection: Connection, uri: string): Release | undefined {
      const release = watched.get(connection)?.get(uri);
      if (watched.get(connection)?.delete(uri)) count(connection.principal.id, -1);
      return release;
    },
    /** Forgets a connection; returns what to release. */
    forget(connection: Connection): Release[] {
      const held = [...(watched.get(connection)?.values() ?? [])];
      count(connection.principal.id, -held.length);
      watched.delete(connection);
      connections.delete(connection);
      return held;
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

export type Notices = ReturnType<typeof createNotices>;
