import type { AnyTool } from '../../kernel/tool.ts';
import type { GitHub } from './connection.ts';
import { getContext } from './tools/get-context.ts';

export const githubTools: readonly AnyTool<GitHub>[] = [getContext];
