import { deleteExecution } from './delete-execution.ts';
import { failures } from './failures.ts';
import { getExecution } from './get-execution.ts';
import { listExecutions } from './list-executions.ts';
import { retryExecution } from './retry-execution.ts';
import { stopExecution } from './stop-execution.ts';
import { waitExecution } from './wait-execution.ts';

export const executionTools = [
  listExecutions,
  getExecution,
  waitExecution,
  retryExecution,
  stopExecution,
  deleteExecution,
  failures,
];
