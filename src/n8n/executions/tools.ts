import { deleteExecution } from './delete-execution.ts';
import { executeWorkflow } from './execute-workflow.ts';
import { failures } from './failures.ts';
import { getExecution } from './get-execution.ts';
import { listExecutions } from './list-executions.ts';
import { retryExecution } from './retry-execution.ts';
import { stopExecution } from './stop-execution.ts';
import { testWorkflow } from './test-workflow.ts';
import { triggerWebhook } from './trigger-webhook.ts';
import { waitExecution } from './wait-execution.ts';

export const executionTools = [
  executeWorkflow,
  triggerWebhook,
  testWorkflow,
  listExecutions,
  getExecution,
  waitExecution,
  retryExecution,
  stopExecution,
  deleteExecution,
  failures,
];
