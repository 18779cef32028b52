import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { exportWorkflow } from './export/export-workflow.ts';
import { importTemplate } from './import/import-template.ts';

export const templateTools: readonly AnyTool<N8nDeps>[] = [importTemplate, exportWorkflow];
