import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { activateWorkflow } from './activate-workflow.ts';
import { archiveWorkflow } from './archive-workflow.ts';
import { createWorkflow } from './create-workflow.ts';
import { deactivateWorkflow } from './deactivate-workflow.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { diffVersions } from './diff-versions.ts';
import { duplicateWorkflow } from './duplicate-workflow.ts';
import { editWorkflow } from './edit-workflow.ts';
import { getVersion } from './get-version.ts';
import { getWorkflow } from './get-workflow.ts';
import { listWorkflows } from './list-workflows.ts';
import { unarchiveWorkflow } from './unarchive-workflow.ts';
import { updateWorkflow } from './update-workflow.ts';
import { workflowHistory } from './workflow-history.ts';

export const workflowTools: readonly AnyTool<N8nDeps>[] = [
  listWorkflows,
  getWorkflow,
  createWorkflow,
  updateWorkflow,
  editWorkflow,
  deleteWorkflow,
  activateWorkflow,
  deactivateWorkflow,
  archiveWorkflow,
  unarchiveWorkflow,
  duplicateWorkflow,
  workflowHistory,
  getVersion,
  diffVersions,
];
