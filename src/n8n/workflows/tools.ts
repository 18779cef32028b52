import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { archiveWorkflow } from './archive-workflow.ts';
import { createWorkflow } from './create-workflow.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { diffVersions } from './diff-versions.ts';
import { duplicateWorkflow } from './duplicate-workflow.ts';
import { editWorkflow } from './edit-workflow.ts';
import { getWorkflow } from './get-workflow.ts';
import { listVersions } from './list-versions.ts';
import { listWorkflows } from './list-workflows.ts';
import { publishWorkflow } from './publish-workflow.ts';
import { unpublishWorkflow } from './unpublish-workflow.ts';
import { updateWorkflow } from './update-workflow.ts';

export const workflowTools: readonly AnyTool<N8nDeps>[] = [
  listWorkflows,
  getWorkflow,
  createWorkflow,
  updateWorkflow,
  editWorkflow,
  deleteWorkflow,
  publishWorkflow,
  unpublishWorkflow,
  archiveWorkflow,
  duplicateWorkflow,
  listVersions,
  diffVersions,
];
