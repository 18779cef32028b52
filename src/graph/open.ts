import type { OpenPart } from '../host/part.ts';
import { yielding } from '../host/yielding.ts';
import type { GraphEngine } from './engine.ts';
import { graphSource } from './own-source.ts';
import type { GraphHost, GraphSection } from './settings.ts';

export interface GraphApi {
  /** The graph, with its rules. It is opened on first use. */
  open(): Promise<GraphEngine>;
}

/** The graph. Its code is loaded, and its engine opened, by the first call. */
export function openGraph(host: GraphHost): OpenPart<GraphApi> {
  const isOff = () => host.settings().graph === false;
  const section = (): GraphSection => host.settings().graph || {};
  let loading: Promise<GraphEngine> | undefined;
  let openedWith = '';

  async function load(): Promise<GraphEngine> {
    const [{ ruled }, engine] = await Promise.all([import('./graph.ts'), openEngine(section())]);
    return ruled(engine);
  }

  async function openEngine(_: GraphSection): Promise<GraphEngine> {
    return (await import('./sql/engine.ts')).sqlEngine(host.store.apart);
  }

  function open(): Promise<GraphEngine> {
    if (loading) return loading;
    openedWith = JSON.stringify(section());
    loading = load().catch((error: unknown) => {
      // The next call tries again.
      loading = undefined;
      throw error;
    });
    return loading;
  }

  async function close(): Promise<void> {
    const closing = await loading?.catch(() => undefined);
    loading = undefined;
    await closing?.[Symbol.asyncDispose]();
  }

  const own = yielding(graphSource({ graph: open }), host.all.claims, isOff);
  return {
    api: { open },
    sources: [own.source],
    absent: own.absent,
    async reload() {
      own.reload();
      if (loading && openedWith !== JSON.stringify(section())) await close();
    },
    [Symbol.asyncDispose]: close,
  };
}
