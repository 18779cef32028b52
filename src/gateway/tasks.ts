import type { Json } from '../kernel/source.ts';
import { isObject } from '../wire/jsonrpc.ts';
import type { Backend } from './backend.ts';
import type { Lane } from './lane.ts';

const KEPT = 10_000;

/** A task as it was made. What was found by asking around has no known maker. */
export interface MadeTask {
  /** As its server calls it. */
  own: string;
  server: string;
  /** The connection; another replica knows nothing of it. */
  lane?: Lane | undefined;
  principal?: string;
  /** The 2025 client that hears of its progress. */
  session?: string;
}

/** Where a task may be, and its name there. */
export interface TaskPlace {
  backend: Backend;
  lane?: Lane | undefined;
  own: string;
}

/**
 * Whose task an id is. Ids stay as their servers gave them; only one that is taken by another server, or by another
 * connection to the same one, is written `<server>+<id>`.
 */
export function createTaskIndex(backends: () => readonly Backend[]) {
  const known = new Map<string, MadeTask>();
  /** The ids under which the tasks of one name at one server are known: more than one where connections differ. */
  const atServer = new Map<string, Set<string>>();
  const homeOf = (server: string, own: string) => `${server} ${own}`;

  function keep(id: string, task: MadeTask): void {
    forget(id);
    known.set(id, task);
    const home = homeOf(task.server, task.own);
    atServer.set(home, (atServer.get(home) ?? new Set()).add(id));
    for (const oldest of known.keys()) {
      if (known.size <= KEPT) break;
      forget(oldest);
    }
  }

  function forget(id: string): void {
    const task = known.get(id);
    if (!task) return;
    known.delete(id);
    const home = homeOf(task.server, task.own);
    const ids = atServer.get(home);
    ids?.delete(id);
    if (ids?.size === 0) atServer.delete(home);
  }

  /** The id of what is at a place already. */
  function idAt(server: string, lane: Lane | undefined, own: string): string | undefined {
    for (const id of atServer.get(homeOf(server, own)) ?? []) {
      const other = known.get(id)?.lane;
      if (lane === undefined || other === undefined || lane === other) return id;
    }
    return undefined;
  }

  const isFree = (id: string): boolean => {
    const task = known.get(id);
    return !task || !backends().some(({ name }) => name === task.server);
  };

  function freeId({ server, own }: MadeTask): string {
    if (isFree(own)) return own;
    let id = `${server}+${own}`;
    for (let count = 2; !isFree(id); count++) id = `${server}+${count}+${own}`;
    return id;
  }

  return {
    /** The id under which clients know a new task. */
    made(task: MadeTask): string {
      const id = idAt(task.server, task.lane, task.own) ?? freeId(task);
      keep(id, task);
      return id;
    },
    /** Remembers where a task was found. */
    found(id: string, { backend, lane, own }: TaskPlace): void {
      keep(id, { own, server: backend.name, lane });
    },
    at(backend: Backend, lane: Lane | undefined, own: unknown): (MadeTask & { id: string }) | undefined {
      const id = typeof own === 'string' ? idAt(backend.name, lane, own) : undefined;
      const task = id === undefined ? undefined : known.get(id);
      return task && id !== undefined ? { ...task, id } : undefined;
    },
    isTaken: (id: string): boolean => !isFree(id),
    /** The places that may know a task, for one who may see these backends. Another's task is nowhere. */
    places(id: string, principal: string, visible: readonly Backend[]): TaskPlace[] {
      const task = known.get(id);
      if (task && !isFree(id)) {
        const backend = visible.find(({ name }) => name === task.server);
        const isOthers = task.principal !== undefined && task.principal !== principal;
        return backend && !isOthers ? [{ backend, lane: task.lane, own: task.own }] : [];
      }
      return visible.filter(makesTasks).flatMap((backend) => {
        const prefix = `${backend.name}+`;
        const names = id.startsWith(prefix) ? [id, id.slice(prefix.length)] : [id];
        return names.flatMap((own) => lanesOf(backend).map((lane) => ({ backend, lane, own })));
      });
    },
  };
}

export type TaskIndex = ReturnType<typeof createTaskIndex>;

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
