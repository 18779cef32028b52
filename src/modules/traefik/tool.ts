import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Traefik } from './connection.ts';
import { protocols } from './problems.ts';

export const traefikTool = toolsFor<Traefik>({ category: 'traefik' });

export const cursorInput = z.string().max(500).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');
export const nameInput = z.string().trim().min(1).max(500).describe('With its provider: shop@docker');
export const protocolInput = z.enum(protocols);

/** Filters of lists. */
export const filters = {
  status: z.enum(['enabled', 'disabled', 'warning']).optional(),
  provider: z.string().trim().min(1).max(100).optional().describe('Such as docker or file'),
  search: z.string().trim().min(1).max(300).optional(),
};
