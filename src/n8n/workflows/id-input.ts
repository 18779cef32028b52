import { z } from 'zod';

const id = z.string().min(1).max(100);

export const idInput = id.describe('Workflow id; n8n_list_workflows shows them');

const MOST = 50;

/** One workflow or several, in one call with one confirmation. */
export const idsInput = z
  .union([id, z.array(id).min(1).max(MOST)])
  .describe(`Workflow id, or a list of up to ${MOST}; n8n_list_workflows shows them`);

export const idsOf = (given: string | readonly string[]): string[] => [
  ...new Set(typeof given === 'string' ? [given] : given),
];

export const expectedVersionInput = z
  .string()
  .optional()
  .describe('The version you read. If there is a newer one, the call is refused and shows what changed');
