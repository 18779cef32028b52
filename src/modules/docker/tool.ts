import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Docker } from './connection.ts';

export const dockerTool = toolsFor<Docker>({ category: 'docker' });

/** More than calling tools: nothing but this scope, or `admin`, allows it. */
export const EXEC_SCOPE = 'docker:exec';

export const containerInput = z.string().min(1).max(200).describe('Name or id of a container');
export const offsetInput = z.int().min(0).max(100_000).default(0).describe('next_offset of the answer before');
export const graceInput = z
  .int()
  .min(0)
  .max(300)
  .optional()
  .describe('Seconds it may take to stop before it is killed (10)');
