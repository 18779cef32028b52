import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Prometheus } from './connection.ts';

export const prometheusTool = toolsFor<Prometheus>({ category: 'prometheus' });

export const queryInput = z.string().trim().min(1).max(20_000).describe('PromQL');

/** RFC 3339, unix seconds, or relative. */
export const timeInput = z.union([z.string().min(1).max(60), z.number()]);

const selector = z.string().trim().min(1).max(5000);
export const matchInput = z
  .union([selector, z.array(selector).min(1).max(20)])
  .describe('Series selector, e.g. up{job="api"}; several are joined with or');

export const listOf = (match: string | readonly string[] | undefined): readonly string[] =>
  match === undefined ? [] : typeof match === 'string' ? [match] : match;

export const cursorInput = z.string().max(500).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');
export const warningsOutput = z.array(z.string()).optional().describe('What Prometheus warns about');
export const patternInput = z.string().trim().min(1).max(200).optional();

export const now = (): number => Date.now() / 1000;
