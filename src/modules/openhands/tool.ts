import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { OpenHands } from './connection.ts';

export const openhandsTool = toolsFor<OpenHands>({ category: 'openhands' });

export const conversationInput = z
  .string()
  .trim()
  .regex(/^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/i, 'is not the id of a conversation')
  .describe('Id from openhands_list_conversations');
export const taskInput = z.string().trim().min(1).max(100_000);
export const pathInput = z.string().trim().min(1).max(1000);
export const cursorInput = z.string().max(1000).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');
export const offsetInput = z.int().min(0).default(0).describe('next_offset of the answer before');
