import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { fixWorkflow } from './fix-workflow.ts';
import { lintWorkflow } from './lint-workflow.ts';
import { suggestImprovements } from './suggest-improvements.ts';
import { validateCredentials } from './validate-credentials.ts';
import { validateExpressions } from './validate-expressions.ts';
import { validateInstance } from './validate-instance.ts';
import { validateNode } from './validate-node.ts';
import { validateWorkflow } from './validate-workflow.ts';
import { validateWorkflowStructure } from './validate-workflow-structure.ts';

export const validationTools: readonly AnyTool<N8nDeps>[] = [
  validateWorkflow,
  validateWorkflowStructure,
  validateExpressions,
  validateCredentials,
  lintWorkflow,
  suggestImprovements,
  validateNode,
  validateInstance,
  fixWorkflow,
];
