import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';

export const administrationTools: readonly AnyTool<N8nDeps>[] = [];
