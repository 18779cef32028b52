import { projectAdd } from './tools/project-add.ts';
import { projectCreate } from './tools/project-create.ts';
import { projectDelete } from './tools/project-delete.ts';
import { projectListProjects } from './tools/project-list-projects.ts';
import { projectRemoveItem } from './tools/project-remove-item.ts';
import { projectShow } from './tools/project-show.ts';
import { projectStatus } from './tools/project-status.ts';
import { projectUpdate } from './tools/project-update.ts';

/** The tools, in the order of the list. */
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
