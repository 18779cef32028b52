import type { AnyTool } from '../../kernel/tool.ts';
import type { Postgres } from './connection.ts';
import { healthTools } from './health-tools.ts';
import { postgresDescribeTable } from './tools/describe-table.ts';
import { postgresExecute } from './tools/execute.ts';
import { postgresExplainQuery } from './tools/explain-query.ts';
import { postgresFindColumns } from './tools/find-columns.ts';
import { postgresGetObject } from './tools/get-object.ts';
import { postgresListDatabases } from './tools/list-databases.ts';
import { postgresListObjects } from './tools/list-objects.ts';
import { postgresListSchemas } from './tools/list-schemas.ts';
import { postgresListTables } from './tools/list-tables.ts';
import { postgresQuery } from './tools/query.ts';

export const postgresTools: readonly AnyTool<Postgres>[] = [
  postgresQuery,
  postgresExecute,
  postgresExplainQuery,
  postgresListSchemas,
  postgresListTables,
  postgresDescribeTable,
  postgresFindColumns,
  postgresListObjects,
  postgresGetObject,
  postgresListDatabases,
  ...healthTools,
];
