import { z } from 'zod';

const id = z.string().regex(/^\d{1,20}$/, 'an execution id is a number');

export const executionInput = id.describe('Execution id; n8n_list_executions shows them');

const MOST = 100;

/** One execution or several, in one call and under one confirmation. */
export const executionsInput = z
  .union([id, z.array(id).min(1).max(MOST)])
  .describe(`Execution id, or a list of up to ${MOST}`);

export const executionsIn = (given: string | readonly string[]): string[] => [
  ...new Set(typeof given === 'string' ? [given] : given),
];
