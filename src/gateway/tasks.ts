import type { Backend } from './backend.ts';

const KEPT = 10_000;

/** Which backend made a task, so that whoever asks for it later is led there. */
export function createTaskIndex() {
  const owners = new Map<string, Backend>();
  return {
    made(backend: Backend, taskId: string): void {
      owners.set(taskId, backend);
      for (const oldest of owners.keys()) {
        if (owners.size <= KEPT) break;
        owners.delete(oldest);
      }
    },
    /** The backends that may know it, the likeliest first. */
    routes(taskId: string, backends: readonly Backend[]): Backend[] {
      const owner = owners.get(taskId);
      return owner && backends.includes(owner) ? [owner] : backends.filter(makesTasks);
    },
  };
}

export function makesTasks({ catalogue }: Backend): boolean {
  const extensions = catalogue?.capabilities.extensions as Record<string, unknown> | undefined;
  return catalogue?.capabilities.tasks !== undefined || extensions?.['io.modelcontextprotocol/tasks'] !== undefined;
}
