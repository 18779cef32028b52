import { z } from 'zod';

export const executionInput = z
  .string()
  .regex(/^\d{1,20}$/, 'an execution id is a number')
  .describe('Execution id; n8n_list_executions shows them');

const MOST = 100;

/** One execution or several, in one call and under one confirmation. */
export const executionsInput = z
  .union([executionInput, z.array(executionInput).min(1).max(MOST)])
  .describe(`Execution id, or a list of up to ${MOST}`);

export const executionsIn = (given: string | readonly string[]): string[] => [
  ...new Set(typeof given === 'string' ? [given] : given),
];
