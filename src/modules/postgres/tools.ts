import type { AnyTool } from '../../kernel/tool.ts';
import type { Postgres } from './connection.ts';
import { postgresQuery } from './tools/query.ts';

export const postgresTools: readonly AnyTool<Postgres>[] = [postgresQuery];
