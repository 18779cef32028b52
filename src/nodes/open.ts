import { late } from '../kernel/late.ts';
import type { Embedding } from '../embedder/part.ts';
import type { OpenPart } from '../host/part.ts';
import { type AskedNodes, createAskedNodes } from './asked/asked.ts';
import type { OwnCatalogues } from './catalogues/catalogues.ts';
import { nodeCatalogues } from './catalogues/apart.ts';
import type { OptionValues } from './options/option-values.ts';
import { nodesSource } from './own-source.ts';
import type { NodesHost } from './settings.ts';
import { meaningVectors } from './catalogues/places.ts';
import type { Meaning } from './search/meaning/meaning.ts';
import type { NodesDeps } from './tool.ts';

const CHECK_MS = 3000;

/** The connected n8n instances. */
export interface NodeInstances {
  names(): readonly string[];
  /** Starting up on this machine, so not answering yet. */
  isStarting(instance: string): boolean;
  readonly options: OptionValues;
}

export interface Nodes {
  readonly catalogues: OwnCatalogues;
  /** Which nodes callers ask about. */
  readonly asked: AskedNodes;
  /** Switches to the nodes of these instances. */
  from(n8n: NodeInstances): void;
  /** Updates the catalogues after a short delay, so that it does not slow down the start. */
  checkSoon(): void;
}

const noInstances: NodeInstances = {
  names: () => [],
  isStarting: () => false,
  options: {
    isConnected: () => false,
    credential: () => Promise.reject(new Error('No n8n is connected.')),
    read: () => Promise.reject(new Error('No n8n is connected.')),
  },
};

export async function openNodes(
  host: NodesHost,
  { embedder: shared }: { embedder: Embedding },
): Promise<OpenPart<Nodes>> {
  let n8n = noInstances;
  let checking: NodeJS.Timeout | undefined;
  const catalogues = nodeCatalogues(host, {
    names: () => n8n.names(),
    isStarting: (name) => n8n.isStarting(name),
  });
  const asked = createAskedNodes(host.store.tables);
  const compares = late(async (): Promise<Meaning> => {
    const [{ createMeaning }, embedder] = await Promise.all([import('./search/meaning/meaning.ts'), shared.load()]);
    return createMeaning({ embedder, vectors: meaningVectors(host.cache), missing: catalogues.complete });
  });
  const meaning: NodesDeps['meaning'] = {
    near: async (...asked) => (await compares()).near(...asked),
  };
  const options: OptionValues = {
    isConnected: () => n8n.options.isConnected(),
    credential: (...asked) => n8n.options.credential(...asked),
    read: (...asked) => n8n.options.read(...asked),
  };
  return {
    api: {
      catalogues,
      asked,
      from(connected) {
        n8n = connected;
      },
      checkSoon() {
        checking = setTimeout(catalogues.check, CHECK_MS).unref();
      },
    },
    sources: [nodesSource({ catalogues, options, meaning, asked })],
    health: catalogues.health,
    async [Symbol.asyncDispose]() {
      clearTimeout(checking);
      await asked[Symbol.asyncDispose]();
      await (await compares.begun())?.[Symbol.asyncDispose]();
      catalogues[Symbol.dispose]();
    },
  };
}
