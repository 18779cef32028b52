import type { AnyTool } from '../../kernel/tool.ts';
import type { Postgres } from './connection.ts';
import { cancelQuery } from './tools/cancel-query.ts';
import { checkHealth } from './tools/check-health.ts';
import { getSettings } from './tools/get-settings.ts';
import { getTableStats } from './tools/get-table-stats.ts';
import { listActivity } from './tools/list-activity.ts';
import { listLocks } from './tools/list-locks.ts';
import { listTopQueries } from './tools/list-top-queries.ts';
import { suggestIndexes } from './tools/suggest-indexes.ts';
import { vacuumTable } from './tools/vacuum-table.ts';

/** What an administrator uses. */
export const healthTools: readonly AnyTool<Postgres>[] = [
  checkHealth,
  listTopQueries,
  listActivity,
  listLocks,
  suggestIndexes,
  getTableStats,
  getSettings,
  cancelQuery,
  vacuumTable,
];
