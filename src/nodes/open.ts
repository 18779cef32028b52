import type { Embedding } from '../embedder/part.ts';
import type { OpenPart } from '../host/part.ts';
import type { OwnCatalogues } from './catalogues/catalogues.ts';
import { nodeCatalogues } from './catalogues/apart.ts';
import type { OptionValues } from './options/option-values.ts';
import { nodesSource } from './own-source.ts';
import type { NodesHost } from './settings.ts';
import { meaningVectors } from './catalogues/places.ts';
import type { Meaning } from './search/meaning/meaning.ts';
import type { NodesDeps } from './tool.ts';

const CHECK_MS = 3000;

/** The n8n whose nodes these are, where any is connected. */
export interface NodeInstances {
  names(): readonly string[];
  /** It is being started on this machine: there is nothing to ask yet. */
  isStarting(instance: string): boolean;
  readonly options: OptionValues;
}

export interface Nodes {
  readonly catalogues: OwnCatalogues;
  /** From now on the nodes are those of these n8n. */
  from(n8n: NodeInstances): void;
  /** Brings the catalogues up to date, though not at the same time as everything else starts. */
  checkSoon(): void;
}

/** What a gateway without an n8n knows. */
const nobody: NodeInstances = {
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
  let n8n = nobody;
  let checking: NodeJS.Timeout | undefined;
  const catalogues = nodeCatalogues(host, {
    names: () => n8n.names(),
    isStarting: (name) => n8n.isStarting(name),
  });
  let compares: Promise<Meaning> | undefined;
  const load = async () => {
    const [{ createMeaning }, embedder] = await Promise.all([import('./search/meaning/meaning.ts'), shared.load()]);
    return createMeaning({ embedder, vectors: meaningVectors(host.cache), missing: catalogues.complete });
  };
  const meaning: NodesDeps['meaning'] = {
    near: async (...asked) => (await (compares ??= load())).near(...asked),
  };
  const options: OptionValues = {
    isConnected: () => n8n.options.isConnected(),
    credential: (...asked) => n8n.options.credential(...asked),
    read: (...asked) => n8n.options.read(...asked),
  };
  return {
    api: {
      catalogues,
      from(connected) {
        n8n = connected;
      },
      checkSoon() {
        checking = setTimeout(catalogues.check, CHECK_MS).unref();
      },
    },
    sources: [nodesSource({ catalogues, options, meaning })],
    health: catalogues.health,
    async [Symbol.asyncDispose]() {
      clearTimeout(checking);
      await (await compares)?.[Symbol.asyncDispose]();
      catalogues[Symbol.dispose]();
    },
  };
}
