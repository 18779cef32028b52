import type { Backend } from './backend.ts';
import type { Lane } from './lane.ts';

const KEPT = 10_000;

/** Where a task was made and for whom. What was found by asking around has no known maker. */
export interface MadeTask {
  backend: Backend;
  /** The connection; another replica knows nothing of it. */
  lane?: Lane;
  principal?: string;
  /** The 2025 client that hears of its progress. */
  session?: string;
}

/** Who made a task, so that whoever asks for it later is led there. */
export function createTaskIndex() {
  const known = new Map<string, MadeTask>();
  return {
    made(taskId: string, task: MadeTask): void {
      known.set(taskId, task);
      for (const oldest of known.keys()) {
        if (known.size <= KEPT) break;
        known.delete(oldest);
      }
    },
    find: (taskId: unknown): MadeTask | undefined => (typeof taskId === 'string' ? known.get(taskId) : undefined),
    /** The places that may know it, for one who may see these backends. Another's task is nowhere. */
    routes(taskId: string, principal: string, backends: readonly Backend[]): MadeTask[] {
      const made = known.get(taskId);
      if (!made || !backends.includes(made.backend)) return backends.filter(makesTasks).map((backend) => ({ backend }));
      return made.principal === undefined || made.principal === principal ? [made] : [];
    },
  };
}

export type TaskIndex = ReturnType<typeof createTaskIndex>;

export const TASKS = 'io.modelcontextprotocol/tasks';

export function makesTasks({ catalogue }: Backend): boolean {
  const extensions = catalogue?.capabilities.extensions as Record<string, unknown> | undefined;
  return catalogue?.capabilities.tasks !== undefined || extensions?.[TASKS] !== undefined;
}
