import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { exportWorkflow } from './export/export-workflow.ts';
import { importTemplate } from './import/import-template.ts';
import { libraryTools } from './library-tools.ts';

export const templateTools: readonly AnyTool<N8nDeps>[] = [...libraryTools, importTemplate, exportWorkflow];
