import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { OpenRouter } from './connection.ts';

export const openrouterTool = toolsFor<OpenRouter>({ category: 'openrouter' });

export const modelInput = z
  .string()
  .trim()
  .max(150)
  .regex(/^[\x21-\x7e]+$/, 'is no id of a model')
  .describe('Id of a model, e.g. anthropic/claude-sonnet-4.5');
export const searchInput = z.string().trim().min(1).max(200).optional();
export const cursorInput = z.string().max(500).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');

export const pricesOutput = z
  .object({ input: z.number(), output: z.number(), request: z.number().optional().describe('For each request') })
  .describe('US dollars for a million tokens');

export const budgetOutput = z.object({
  spent: z.number().describe('US dollars, with what is set aside for running calls'),
  left: z.number(),
  until: z.string().describe('When it begins anew'),
});
