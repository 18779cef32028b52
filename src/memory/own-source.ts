import { createListedSource } from '../kernel/listed-source.ts';
import { listing } from '../kernel/listed-tool.ts';
import type { OwnResources, ToolSource } from '../kernel/source.ts';
import { recallPrompt } from './recall-prompt.ts';
import type { MemoryDeps } from './tool.ts';
import * as listed from './listed.json' with { type: 'json' };

/** What is worth knowing in a later conversation. */
export const memorySource = (deps: MemoryDeps, resources: OwnResources): ToolSource =>
  createListedSource<MemoryDeps>({
    id: 'memory',
    exposure: 'compact',
    description: 'remember things, and recall them by meaning',
    guide: () => [
      'Recall before you ask: `memory_read {tool: "search", params: {query: "…"}}`. Remember what will matter later: `memory_call {tool: "store", params: {text: "…"}}`.',
    ],
    listed: listing(listed),
    load: async () => (await import('./tools.ts')).memoryTools,
    prompts: [recallPrompt(deps)],
    resources,
    deps,
  });
