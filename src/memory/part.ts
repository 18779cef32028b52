import { embedderPart } from '../embedder/part.ts';
import { yieldingSource } from '../host/config/claims.ts';
import type { Fill } from '../host/config/fill.ts';
import { isTree, type Tree } from '../host/config/tree.ts';
import { type Env, part } from '../host/part.ts';
import { memoryFacts } from './facts.ts';
import { memoryMigrations } from './migrations.ts';
import type { MemoryApi } from './open.ts';
import { memorySettings } from './settings.ts';

const uses = { embedder: embedderPart };

/** What assistants remember. */
export const memoryPart = part<MemoryApi, typeof memorySettings, typeof uses, typeof memoryFacts>({
  uses,
  settings: memorySettings,
  facts: memoryFacts,
  migrations: memoryMigrations,
  secretVariables: ({ memory }) => (isTree(memory) && memory.qdrant !== undefined ? ['QDRANT_API_KEY'] : []),
  environment: (file, { env }) => qdrantFills(file, env),
  claims: ({ memory }) => (memory === false ? [] : [yieldingSource('memory')]),
  anchor: ({ memory }, from) => ({
    memory:
      memory && memory.embedder.kind === 'directory'
        ? { ...memory, embedder: { ...memory.embedder, path: from(memory.embedder.path) } }
        : memory,
  }),
  pages: [
    {
      path: 'memory',
      title: 'Memory',
      scope: 'memory:read',
      source: 'memory',
      module: 'memory/pages/memory.tsx',
      order: 70,
      key: 'm',
      kinds: ['memory'],
    },
  ],
  tools: async () => (await import('./tools.ts')).memoryTools,
  commands: {
    memory: {
      summary: 'Searches, imports and exports memories',
      load: async (place) => (await import('./commands/memory.ts')).memoryCommand(place),
    },
  },
  open: async (host, used) => (await import('./open.ts')).openMemory(host, used),
});

/** Variables complete a Qdrant that the file names, but switch none on. */
function qdrantFills({ memory }: Tree, { QDRANT_URL, QDRANT_API_KEY }: Env): Fill[] {
  if (!isTree(memory) || !isTree(memory.qdrant)) return [];
  return [
    ...(QDRANT_URL ? [{ variable: 'QDRANT_URL', path: ['memory', 'qdrant', 'url'], value: QDRANT_URL }] : []),
    ...(QDRANT_API_KEY
      ? [{ variable: 'QDRANT_API_KEY', path: ['memory', 'qdrant', 'apiKey'], value: QDRANT_API_KEY }]
      : []),
  ];
}
