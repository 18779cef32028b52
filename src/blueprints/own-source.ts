import { createListedSource } from '../kernel/listed-source.ts';
import { listing } from '../kernel/listed-tool.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { BlueprintDeps } from './tool.ts';
import * as listed from './listed.json' with { type: 'json' };

/** Provisioning in several steps. */
export const blueprintSource = (deps: BlueprintDeps): ToolSource =>
  createListedSource<BlueprintDeps>({
    id: 'blueprint',
    plural: 'blueprints',
    exposure: 'compact',
    description: 'set things up in several steps that survive restarts and can be undone',
    guide: () => [
      'To set up something in several steps, look for a blueprint: `blueprint_read {tool: "list_definitions"}`, then plan it and deploy it with `blueprint_call {tool: "deploy", params: {name: "…", inputs: {…}}}`.',
    ],
    listed: listing(listed),
    load: async () => (await import('./tools.ts')).blueprintTools,
    deps,
  });
