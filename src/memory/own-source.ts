import { createOwnSource } from '../kernel/own-source.ts';
import type { OwnResources, ToolSource } from '../kernel/source.ts';
import { recallPrompt } from './recall-prompt.ts';
import type { MemoryDeps } from './tool.ts';
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

/** What is worth knowing in a later conversation. */
export const memorySource = (deps: MemoryDeps, resources: OwnResources): ToolSource =>
  createOwnSource<MemoryDeps>({
    id: 'memory',
    exposure: 'compact',
    description: 'remember things, and recall them by meaning',
    guide: () => [
      'Recall before you ask: `memory_read {tool: "search", params: {query: "…"}}`. Remember what will matter later: `memory_call {tool: "store", params: {text: "…"}}`.',
    ],
    tools: memoryTools,
    prompts: [recallPrompt(deps)],
    resources,
    deps,
  });
