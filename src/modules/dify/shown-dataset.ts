import { z } from 'zod';
import { brief } from '../text-part.ts';
import type { Dataset, Document } from './answers.ts';

export const datasetOutput = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  documents: z.number().optional(),
  words: z.number().optional(),
  apps: z.number().optional().describe('That use it'),
  indexing: z.string().optional(),
});

export const shownDataset = (one: Dataset): z.output<typeof datasetOutput> => ({
  id: one.id,
  name: brief(one.name, 200),
  ...(one.description && { description: brief(one.description, 500) }),
  ...(typeof one.document_count === 'number' && { documents: one.document_count }),
  ...(typeof one.word_count === 'number' && { words: one.word_count }),
  ...(typeof one.app_count === 'number' && { apps: one.app_count }),
  ...(one.indexing_technique && { indexing: one.indexing_technique.slice(0, 50) }),
});

export const documentOutput = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string().optional().describe('completed: it can be found'),
  error: z.string().optional(),
  enabled: z.boolean().optional(),
  words: z.number().optional(),
  tokens: z.number().optional(),
});

export const shownDocument = (one: Document): z.output<typeof documentOutput> => ({
  id: one.id,
  name: brief(one.name, 300),
  ...(one.indexing_status && { status: one.indexing_status.slice(0, 50) }),
  ...(one.error && { error: brief(one.error, 500) }),
  ...(typeof one.enabled === 'boolean' && { enabled: one.enabled }),
  ...(typeof one.word_count === 'number' && { words: one.word_count }),
  ...(typeof one.tokens === 'number' && { tokens: one.tokens }),
});
