import { createListedSource } from '../kernel/listed-source.ts';
import { listing } from '../kernel/listed-tool.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { ProjectDeps } from './tool.ts';
import * as listed from './listed.json' with { type: 'json' };

/** What belongs together, under one name. */
export const projectSource = (deps: ProjectDeps): ToolSource =>
  createListedSource<ProjectDeps>({
    id: 'project',
    plural: 'projects',
    exposure: 'compact',
    description: 'projects: what belongs together, and how it is doing',
    guide: () => [
      'See how a project is doing: `project_read {tool: "status", params: {name: "…"}}`. Add to it: `project_call {tool: "add", params: {project, kind, name}}`.',
    ],
    listed: listing(listed),
    load: async () => (await import('./tools.ts')).projectTools,
    deps,
  });
