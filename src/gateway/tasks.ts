import { randomUUID } from 'node:crypto';
import type { Json } from '../kernel/source.ts';
import type { OwnedTask, TaskOwners } from '../store/store.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Backend } from './backends/backend.ts';
import type { Lane } from './backends/lane.ts';

/** Held in memory, with what no store can keep; the rest is looked up. */
const HELD = 10_000;
const KEPT_OF_ONE = 100_000;
const LONGEST_ID = 1024;
const MOST_ALIKE = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A task as it was made. */
export interface MadeTask {
  /** As its server calls it. */
  own: string;
  server: string;
  principal: string;
  /** The connection; another replica knows nothing of it. Unknown after a restart. */
  lane?: Lane | undefined;
  /** The 2025 client that hears of its progress. */
  session?: string;
  /** How long its server keeps it, where that is said. */
  ttlMs?: number | undefined;
}

export type KnownTask = MadeTask & { id: string };

/** Where a task may be, and its name there. */
export interface TaskPlace {
  backend: Backend;
  lane?: Lane | undefined;
  own: string;
}

/**
 * Whose task an id is. Ids stay as their servers gave them; only one that is taken by another server, or by another
 * connection to the same one, is written `<server>+<id>`. A task whose owner is not known is nobody's.
 */
export function createTaskIndex(backends: () => readonly Backend[], store: TaskOwners) {
  const held = new Map<string, KnownTask>();
  /** The ids under which the tasks of one name at one server are known: more than one where connections differ. */
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

  /** Whether every caller has a connection of their own, and so tasks that nobody else can mean. */
  const isPrivate = (task: { server: string }) => (serverOf(task)?.settings.isolation ?? 'shared') !== 'shared';

  const heldOf = (server: string, own: string): KnownTask[] =>
    [...(atServer.get(homeOf(server, own)) ?? [])].map((id) => held.get(id) as KnownTask);

  /** The task of this name that is held: of this very connection, or the only one that can be meant. */
  function heldAt(server: string, lane: Lane | undefined, own: string, principal?: string): KnownTask | undefined {
    const named = heldOf(server, own).filter(
      (task) => principal === undefined || task.principal === principal || !isPrivate(task),
    );
    const exact = lane && named.find((task) => laneOf(task) === lane);
    const possible = named.filter((task) => lane === undefined || laneOf(task) === undefined);
    return exact ?? (possible.length === 1 ? possible[0] : undefined);
  }

  /**
   * Tasks that only the store knows, each with nobody else who could be meant. Where callers share a connection, two of
   * one name cannot be told apart any more, and so belong to nobody.
   */
  async function stored(server: string, own: readonly string[], principal: string): Promise<KnownTask[]> {
    const found = (await store.at(server, own)).filter(({ id }) => !held.has(id));
    const counts = new Map<string, number>();
    for (const task of found) counts.set(task.own, (counts.get(task.own) ?? 0) + 1);
    return found.filter((task) => (isPrivate(task) ? task.principal === principal : counts.get(task.own) === 1));
  }

  async function named(task: MadeTask): Promise<KnownTask> {
    // Where the same place gives a name again, the old task of that name is no more.
    const [before] = await stored(task.server, [task.own], task.principal);
    const same = heldAt(task.server, task.lane, task.own, task.principal) ?? before;
    return same ? hold({ ...task, id: same.id }) : take(task);
  }

  /** Takes the first id that is free, and holds it from that moment on. */
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

  /** A server that was removed keeps no id from the others. */
  const isFree = (task: { server: string } | undefined): boolean => task === undefined || !serverOf(task);

  return {
    /** The id under which clients know a new task. */
    async made(task: MadeTask): Promise<string> {
      if (task.own.length > LONGEST_ID) return task.own;
      const known = await named(task).catch(() => hold({ ...task, id: unlike(task) }));
      // Without the store it is nobody's after a restart, which is no reason to fail a call that was made.
      await store.put(owned(known), KEPT_OF_ONE).catch(() => {});
      return known.id;
    },
    /** Remembers which connection has it. */
    found(task: KnownTask, { lane }: TaskPlace): void {
      hold({ ...task, lane });
    },
    /** The task that a message is about, as far as it is held. */
    at(backend: Backend, lane: Lane | undefined, own: unknown, principal?: string): KnownTask | undefined {
      return typeof own === 'string' ? heldAt(backend.name, lane, own, principal) : undefined;
    },
    /** Those of a server's tasks that are this principal's. */
    async ofPrincipal(backend: Backend, lane: Lane | undefined, own: readonly string[], principal: string) {
      const known = own.map((name) => heldAt(backend.name, lane, name, principal));
      const rest = await stored(
        backend.name,
        own.filter((_, index) => !known[index]),
        principal,
      );
      return new Map(
        [...known, ...rest].flatMap((task) => (task?.principal === principal ? [[task.own, task] as const] : [])),
      );
    },
    /** The task of an id, if it is this principal's. Anybody else's is nowhere, and so is one that is nobody's. */
    async find(id: string, principal: string): Promise<KnownTask | undefined> {
      let task = held.get(id);
      if (!task) {
        const kept = await store.get(id);
        const alone = kept?.principal === principal ? await stored(kept.server, [kept.own], principal) : [];
        const only = alone.find((other) => other.id === id);
        task = held.get(id) ?? (only && hold(only));
      }
      if (task?.principal !== principal) return undefined;
      // Of two that were made over connections which are gone, nobody knows any more which is which.
      const isClear = laneOf(task) !== undefined || isPrivate(task) || heldOf(task.server, task.own).length === 1;
      return isClear ? task : undefined;
    },
    /** The places that may have a task, for one who may see these backends. */
    places(task: KnownTask, visible: readonly Backend[]): TaskPlace[] {
      const backend = visible.find(({ name }) => name === task.server);
      if (!backend) return [];
      const lane = laneOf(task);
      return (lane ? [lane] : lanesOf(backend)).map((one) => ({ backend, lane: one, own: task.own }));
    },
  };
}

export type TaskIndex = ReturnType<typeof createTaskIndex>;

/** An id that nobody has. */
const unlike = ({ server, own }: MadeTask): string => `${server}+${randomUUID()}+${own}`;

/** A connection that was given up says nothing of where its tasks are now. */
const laneOf = ({ lane }: MadeTask): Lane | undefined => (lane?.state.state === 'stopped' ? undefined : lane);

function owned({ id, server, own, principal, ttlMs = 7 * DAY_MS }: KnownTask): OwnedTask {
  // Servers keep some longer than they promise, and none of them for ever.
  const keptMs = Math.min(Math.max(ttlMs, HOUR_MS), 30 * DAY_MS);
  return { id, server, own, principal, expires: Date.now() + Math.round(keptMs) };
}

/** The connections each of which may have tasks that the others do not know; undefined is the caller's own. */
export function lanesOf({ settings, lanes }: Backend): (Lane | undefined)[] {
  return settings.isolation === 'shared' && settings.replicas > 1 ? [...lanes.shared] : [undefined];
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

/** How long a task that a result announces is kept, where that is said. */
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

/** The message with another id wherever it names the task. */
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
