import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Dify } from './connection.ts';

export const difyTool = toolsFor<Dify>({ category: 'dify' });

export const id = z.string().trim().min(1).max(100);

export const appInput = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('Name from dify_list_apps; may be left out if there is one');
export const datasetInput = z.string().trim().min(1).max(200).describe('Name or id');
export const documentInput = id.describe('Id from dify_list_documents');
export const conversationInput = id.describe('Id from dify_list_conversations');
export const inputsInput = z
  .record(z.string().max(200), z.unknown())
  .default({})
  .describe('Values by name, as dify_get_app shows them');
export const filesInput = z
  .array(
    z.strictObject({
      type: z.enum(['image', 'document', 'audio', 'video', 'custom']),
      url: z.url({ protocol: /^https?$/ }).max(2000),
    }),
  )
  .max(20)
  .optional()
  .describe('Files that Dify fetches');
export const cursorInput = z.string().max(1000).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');
export const offsetInput = z.int().min(0).default(0).describe('next_offset of the answer before');

/** Files as the API takes them. */
export const sentFiles = (files: z.output<typeof filesInput>) =>
  files && { files: files.map((file) => ({ ...file, transfer_method: 'remote_url' })) };
