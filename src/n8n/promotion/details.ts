import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';

const AT_ONCE = 5;

/** Reads workflows one by one, a few at a time: with their descriptions, which the list leaves out, and pinned data. */
export function detailReader(source: N8nClient, target: N8nClient, signal: AbortSignal) {
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
    else busy++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  }

  return {
    source: (id: string): Promise<Workflow> => inTurn(() => source.workflows.get(id, signal)),
    target: (id: string): Promise<Workflow> => inTurn(() => target.workflows.get(id, signal)),
    /** What the target had in this version; undefined if n8n has deleted it. */
    version: (id: string, version: string) =>
      inTurn(() => target.workflows.version(id, version, signal)).catch(() => undefined),
  };
}

export type DetailReader = ReturnType<typeof detailReader>;
