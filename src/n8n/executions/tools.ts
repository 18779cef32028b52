import { deleteExecution } from './delete-execution.ts';
import { getExecution } from './get-execution.ts';
import { listExecutions } from './list-executions.ts';
import { listFailures } from './list-failures.ts';
import { retryExecution } from './retry-execution.ts';
import { stopExecution } from './stop-execution.ts';

export const executionTools = [
  listExecutions,
  getExecution,
  retryExecution,
  stopExecution,
  deleteExecution,
  listFailures,
];
