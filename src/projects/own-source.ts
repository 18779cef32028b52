import { createOwnSource } from '../kernel/own-source.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { ProjectDeps } from './tool.ts';
import { projectAdd } from './tools/project-add.ts';
import { projectCreate } from './tools/project-create.ts';
import { projectDelete } from './tools/project-delete.ts';
import { projectListProjects } from './tools/project-list-projects.ts';
import { projectRemoveItem } from './tools/project-remove-item.ts';
import { projectShow } from './tools/project-show.ts';
import { projectStatus } from './tools/project-status.ts';
import { projectUpdate } from './tools/project-update.ts';

export const projectTools = [
  projectStatus,
  projectShow,
  projectListProjects,
  projectCreate,
  projectAdd,
  projectRemoveItem,
  projectUpdate,
  projectDelete,
];

/** What belongs together, under one name. */
export const projectSource = (deps: ProjectDeps): ToolSource =>
  createOwnSource<ProjectDeps>({
    id: 'project',
    exposure: 'compact',
    description: 'projects: what belongs together, and how it is doing',
    guide: () => [
      'See how a project is doing: `project_read {tool: "status", params: {name: "…"}}`. Add to it: `project_call {tool: "add", params: {project, kind, name}}`.',
    ],
    tools: projectTools,
    deps,
  });
