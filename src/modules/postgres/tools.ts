import type { AnyTool } from '../../kernel/tool.ts';
import type { Postgres } from './connection.ts';

export const postgresTools: readonly AnyTool<Postgres>[] = [];
