import { memoryDropNamespace } from './tools/memory-drop-namespace.ts';
import { memoryExport } from './tools/memory-export.ts';
import { memoryForget } from './tools/memory-forget.ts';
import { memoryGet } from './tools/memory-get.ts';
import { memoryGetStats } from './tools/memory-get-stats.ts';
import { memoryImport } from './tools/memory-import.ts';
import { memoryListMemories } from './tools/memory-list-memories.ts';
import { memoryListNamespaces } from './tools/memory-list-namespaces.ts';
import { memoryPin } from './tools/memory-pin.ts';
import { memorySearch } from './tools/memory-search.ts';
import { memorySetNamespace } from './tools/memory-set-namespace.ts';
import { memoryStore } from './tools/memory-store.ts';
import { memoryUpdate } from './tools/memory-update.ts';

/** The tools, in the order of the list. */
export const memoryTools = [
  memorySearch,
  memoryStore,
  memoryGet,
  memoryUpdate,
  memoryForget,
  memoryPin,
  memoryListMemories,
  memoryListNamespaces,
  memorySetNamespace,
  memoryDropNamespace,
  memoryGetStats,
  memoryImport,
  memoryExport,
];
