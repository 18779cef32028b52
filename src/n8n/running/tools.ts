import { executeWorkflow } from './execute-workflow.ts';
import { testWorkflow } from './test-workflow.ts';
import { triggerWebhook } from './trigger-webhook.ts';

export const runningTools = [executeWorkflow, triggerWebhook, testWorkflow];
