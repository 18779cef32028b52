import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { createFolder } from './folders/create-folder.ts';
import { deleteFolder } from './folders/delete-folder.ts';
import { listFolders } from './folders/list-folders.ts';
import { updateFolder } from './folders/update-folder.ts';
import { move } from './moving/move.ts';
import { installCommunityPackage } from './packages/install-community-package.ts';
import { listCommunityPackages } from './packages/list-community-packages.ts';
import { uninstallCommunityPackage } from './packages/uninstall-community-package.ts';
import { updateCommunityPackage } from './packages/update-community-package.ts';
import { createProject } from './projects/create-project.ts';
import { deleteProject } from './projects/delete-project.ts';
import { listProjectMembers } from './projects/list-project-members.ts';
import { listProjects } from './projects/list-projects.ts';
import { setProjectMembers } from './projects/set-project-members.ts';
import { updateProject } from './projects/update-project.ts';
import { getInsights } from './reports/get-insights.ts';
import { runAudit } from './reports/run-audit.ts';
import { n8nRequest } from './request/n8n-request.ts';
import { getSourceControl } from './source-control/get-source-control.ts';
import { pullSourceControl } from './source-control/pull-source-control.ts';
import { pushSourceControl } from './source-control/push-source-control.ts';
import { deleteUser } from './users/delete-user.ts';
import { inviteUsers } from './users/invite-users.ts';
import { listRoles } from './users/list-roles.ts';
import { listUsers } from './users/list-users.ts';
import { setUserRole } from './users/set-user-role.ts';
import { deleteVariable } from './variables/delete-variable.ts';
import { listVariables } from './variables/list-variables.ts';
import { setVariable } from './variables/set-variable.ts';

export const administrationTools: readonly AnyTool<N8nDeps>[] = [
  listProjects,
  createProject,
  updateProject,
  deleteProject,
  listProjectMembers,
  setProjectMembers,
  listFolders,
  createFolder,
  updateFolder,
  deleteFolder,
  move,
  listVariables,
  setVariable,
  deleteVariable,
  listUsers,
  inviteUsers,
  setUserRole,
  deleteUser,
  listRoles,
  getSourceControl,
  pullSourceControl,
  pushSourceControl,
  runAudit,
  getInsights,
  listCommunityPackages,
  installCommunityPackage,
  updateCommunityPackage,
  uninstallCommunityPackage,
  n8nRequest,
];
