import { randomUUID } from 'node:crypto';
import type { Peers } from '../kernel/shared.ts';
import type { Json } from '../kernel/source.ts';
import type { OwnedTask, TaskOwners } from '../store/store.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Backend } from './backends/backend.ts';
import type { Lane } from './backends/lane.ts';

/** Tasks held in memory, with their connection, which the store cannot keep. All others are looked up in the store. */
const HELD = 10_000;
const KEPT_OF_ONE = 100_000;
const LONGEST_ID = 1024;
const MOST_ALIKE = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A task when a server has just made it. */
export interface MadeTask {
  /** The server's own id. */
  own: string;
  server: string;
  principal: string;
  /** The connection that has it; other replicas do not know it. Unknown after a restart. */
  lane?: Lane | undefined;
  /** The session of the 2025 client that gets its progress. */
  session?: string;
  /** How long its server keeps it, if the server says so. */
  ttlMs?: number | undefined;
  /** The replica that runs its server, if each replica runs its own. */
  replica?: string;
}

export type KnownTask = MadeTask & { id: string };

/** Where a task may be, and its id there. */
export interface TaskPlace {
  backend: Backend;
  lane?: Lane | undefined;
  own: string;
}

/**
 * Finds the server and the owner of a task id. Ids stay as their servers gave them. Only an id that another server, or
 * another connection to the same server, already uses becomes `<server>+<id>`. A task without a known owner is nobody's.
 */
export function createTaskIndex(
  backends: () => readonly Backend[],
  store: TaskOwners,
  peers?: Pick<Peers, 'self' | 'find'>,
) {
  const held = new Map<string, KnownTask>();
  /** Server and its own id -> the ids that clients know. Several, if several connections use the same id. */
  const atServer = new Map<string, Set<string>>();
  const homeOf = (server: string, own: string) => `${server} ${own}`;

  function hold(task: KnownTask): KnownTask {
    drop(task.id);
    held.set(task.id, task);
    const home = homeOf(task.server, task.own);
    atServer.set(home, (atServer.get(home) ?? new Set()).add(task.id));
    for (const oldest of held.keys()) {
      if (held.size <= HELD) break;
      drop(oldest);
    }
    return task;
  }

  function drop(id: string): void {
    const task = held.get(id);
    if (!task) return;
    held.delete(id);
    const home = homeOf(task.server, task.own);
    const ids = atServer.get(home);
    ids?.delete(id);
    if (ids?.size === 0) atServer.delete(home);
  }

  const serverOf = ({ server }: { server: string }) => backends().find(({ name }) => name === server);

  /** Whether every caller has their own connection, so that nobody else can mean their tasks. */
  const isPrivate = (task: { server: string }) => (serverOf(task)?.settings.isolation ?? 'shared') !== 'shared';

  /** Each replica runs its own process of such a server, and no other knows the tasks of that process. */
  const isLocal = (task: { server: string }) => serverOf(task)?.settings.transport.kind === 'stdio';

  /** Whether another replica runs the server that made it. */
  const isForeign = ({ replica }: { replica?: string }) => peers && replica !== undefined && replica !== peers.self;

  const heldOf = (server: string, own: string): KnownTask[] =>
    [...(atServer.get(homeOf(server, own)) ?? [])].map((id) => held.get(id) as KnownTask);

  /** The held task with this id: of this connection, or the only one that can be meant. */
  function heldAt(server: string, lane: Lane | undefined, own: string, principal?: string): KnownTask | undefined {
    const named = heldOf(server, own).filter(
      (task) => principal === undefined || task.principal === principal || !isPrivate(task),
    );
    const exact = lane && named.find((task) => laneOf(task) === lane);
    const possible = named.filter((task) => lane === undefined || laneOf(task) === undefined);
    return exact ?? (possible.length === 1 ? possible[0] : undefined);
  }

  /**
   * Tasks that only the store knows, if they are unambiguous. If callers share a connection, two tasks with the same id
   * can no longer be told apart, so they belong to nobody.
   */
  async function stored(server: string, own: readonly string[], principal: string): Promise<KnownTask[]> {
    const found = (await store.at(server, own)).filter(({ id }) => !held.has(id));
    const counts = new Map<string, number>();
    const alike = ({ own: name, replica }: OwnedTask) => `${replica ?? ''} ${name}`;
    for (const task of found) counts.set(alike(task), (counts.get(alike(task)) ?? 0) + 1);
    return found.filter((task) => (isPrivate(task) ? task.principal === principal : counts.get(alike(task)) === 1));
  }

  async function named(task: MadeTask): Promise<KnownTask> {
    // If the same connection uses an id again, the old task of that id no longer exists.
    const before = (await stored(task.server, [task.own], task.principal)).find((known) => !isForeign(known));
    const same = heldAt(task.server, task.lane, task.own, task.principal) ?? before;
    return same ? hold({ ...task, id: same.id }) : take(task);
  }

  /** Takes the first free id, and holds it from then on. */
  async function take(task: MadeTask): Promise<KnownTask> {
    const { server, own } = task;
    for (let count = 0; ; count++) {
      if (count === MOST_ALIKE) return hold({ ...task, id: unlike(task) });
      const id = [own, `${server}+${own}`][count] ?? `${server}+${count}+${own}`;
      if (!isFree(held.get(id))) continue;
      const other = await store.get(id);
      if (isFree(other) && isFree(held.get(id))) return hold({ ...task, id });
    }
  }

  /** The ids of a removed server are free for others. */
  const isFree = (task: { server: string } | undefined): boolean => task === undefined || !serverOf(task);

  return {
    /** The id under which clients know a new task. */
    async made(task: MadeTask): Promise<string> {
      if (task.own.length > LONGEST_ID) return task.own;
      const here = peers && isLocal(task) ? { ...task, replica: peers.self } : task;
      const known = await named(here).catch(() => hold({ ...here, id: unlike(here) }));
      // If the store fails, the task is nobody's after a restart. The call was made, so it must not fail for that.
      await store.put(owned(known), KEPT_OF_ONE).catch(() => {});
      return known.id;
    },
    /** Remembers which connection has it. */
    found(task: KnownTask, { lane }: TaskPlace): void {
      hold({ ...task, lane });
    },
    /** The task that a message is about, if it is held. */
    at(backend: Backend, lane: Lane | undefined, own: unknown, principal?: string): KnownTask | undefined {
      return typeof own === 'string' ? heldAt(backend.name, lane, own, principal) : undefined;
    },
    /** The tasks of a server that belong to this principal. */
    async ofPrincipal(backend: Backend, lane: Lane | undefined, own: readonly string[], principal: string) {
      const known = own.map((name) => heldAt(backend.name, lane, name, principal));
      const rest = await stored(
        backend.name,
        own.filter((_, index) => !known[index]),
        principal,
      );
      return new Map(
        [...known, ...rest].flatMap((task) =>
          task?.principal === principal && !isForeign(task) ? [[task.own, task] as const] : [],
        ),
      );
    },
    /** The task with this id, if it belongs to this principal. Everyone else's, and nobody's, count as missing. */
    async find(id: string, principal: string): Promise<KnownTask | undefined> {
      let task = held.get(id);
      if (!task) {
        const kept = await store.get(id);
        const alone = kept?.principal === principal ? await stored(kept.server, [kept.own], principal) : [];
        const only = alone.find((other) => other.id === id);
        if (only && isForeign(only)) return only;
        task = held.get(id) ?? (only && hold(only));
      }
      if (task?.principal !== principal) return undefined;
      // If the connections are gone, two tasks with the same id can no longer be told apart.
      const isClear = laneOf(task) !== undefined || isPrivate(task) || heldOf(task.server, task.own).length === 1;
      return isClear ? task : undefined;
    },
    /** The other replica that has a task; 'gone' if it has stopped, and its server with it. */
    async maker(task: KnownTask): Promise<{ replica: string } | 'gone' | undefined> {
      if (!peers || task.replica === undefined || !isForeign(task)) return undefined;
      return (await peers.find(task.replica)) ? { replica: task.replica } : 'gone';
    },
    /** The places that may have a task, among the backends that the caller may see. */
    places(task: KnownTask, visible: readonly Backend[]): TaskPlace[] {
      const backend = visible.find(({ name }) => name === task.server);
      if (!backend) return [];
      const lane = laneOf(task);
      return (lane ? [lane] : lanesOf(backend)).map((one) => ({ backend, lane: one, own: task.own }));
    },
  };
}

export type TaskIndex = ReturnType<typeof createTaskIndex>;

/** An id that no other task has. */
const unlike = ({ server, own }: MadeTask): string => `${server}+${randomUUID()}+${own}`;

/** A stopped connection no longer tells where its tasks are. */
const laneOf = ({ lane }: MadeTask): Lane | undefined => (lane?.state.state === 'stopped' ? undefined : lane);

function owned({ id, server, own, principal, replica, ttlMs = 7 * DAY_MS }: KnownTask): OwnedTask {
  // Servers keep some tasks longer than they promise, but none for ever.
  const keptMs = Math.min(Math.max(ttlMs, HOUR_MS), 30 * DAY_MS);
  const expires = Date.now() + Math.round(keptMs);
  return { id, server, own, principal, expires, ...(replica !== undefined && { replica }) };
}

/** The connections that may each have their own tasks; undefined stands for the caller's own connection. */
export function lanesOf({ settings, lanes }: Backend): (Lane | undefined)[] {
  return settings.isolation === 'shared' && lanes.shared.length > 1 ? [...lanes.shared] : [undefined];
}

export const TASKS = 'io.modelcontextprotocol/tasks';
const RELATED = 'io.modelcontextprotocol/related-task';

export function makesTasks({ catalogue }: Backend): boolean {
  const extensions = catalogue?.capabilities.extensions as Record<string, unknown> | undefined;
  return catalogue?.capabilities.tasks !== undefined || extensions?.[TASKS] !== undefined;
}

/** The task a result announces, in either era's form. */
export function taskMade(result: Json): string | undefined {
  if (result.resultType === 'task' && typeof result.taskId === 'string') return result.taskId;
  return isObject(result.task) && typeof result.task.taskId === 'string' ? result.task.taskId : undefined;
}

/** How long the server keeps the task that a result announces, if the result says so. */
export function taskTtl(result: Json): number | undefined {
  const ttl = isObject(result.task) ? result.task.ttl : result.ttlMs;
  return typeof ttl === 'number' && ttl >= 0 ? ttl : undefined;
}

/** The task that a message is about or belongs to. */
export function taskIn(message: Json): string | undefined {
  if (typeof message.taskId === 'string') return message.taskId;
  const related = isObject(message._meta) ? message._meta[RELATED] : undefined;
  return isObject(related) && typeof related.taskId === 'string' ? related.taskId : undefined;
}

/** Replaces the id of a task everywhere in a message. */
export function renameTask(message: Json, from: string, to: string): Json {
  if (from === to) return message;
  const renamed = { ...message };
  if (renamed.taskId === from) renamed.taskId = to;
  if (isObject(renamed.task) && renamed.task.taskId === from) renamed.task = { ...renamed.task, taskId: to };
  const related = isObject(renamed._meta) ? renamed._meta[RELATED] : undefined;
  if (isObject(related) && related.taskId === from)
    renamed._meta = { ...(renamed._meta as Json), [RELATED]: { ...related, taskId: to } };
  return renamed;
}
