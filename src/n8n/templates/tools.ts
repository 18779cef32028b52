import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';

export const templateTools: readonly AnyTool<N8nDeps>[] = [];
