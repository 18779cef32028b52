import { z } from 'zod';
import type { Api } from './connection.ts';
import { bool, looseMap, map, number, text } from './lenient.ts';

/** Answers of Dify, with what is used of them. */

export const info = z.object({ name: text, description: text, mode: text, tags: z.array(z.string()).nullish() });

/** `[{ "text-input": { variable, label, … } }, …]` */
const field = z.record(
  z.string(),
  z.object({
    variable: text,
    label: text,
    required: bool,
    default: z.unknown(),
    max_length: number,
    options: z.array(z.string()).nullish().catch(undefined),
  }),
);

export const parameters = z.object({
  opening_statement: text,
  suggested_questions: z.array(z.string()).nullish().catch(undefined),
  user_input_form: z.array(field).nullish().catch(undefined),
  file_upload: z.unknown(),
});

export type Parameters = z.output<typeof parameters>;

const paged = { has_more: bool, total: number };

export const conversations = z.object({
  ...paged,
  data: z.array(z.object({ id: z.string(), name: text, status: text, created_at: number, updated_at: number })),
});

export const message = z.object({
  id: z.string(),
  query: text,
  answer: text,
  status: text,
  error: text,
  created_at: number,
  feedback: z.object({ rating: text }).nullish().catch(undefined),
});

export const messages = z.object({ ...paged, data: z.array(message) });

export type Message = z.output<typeof message>;

export const run = z.object({
  id: z.string(),
  status: text,
  inputs: looseMap,
  outputs: looseMap,
  error: text,
  total_steps: number,
  total_tokens: number,
  created_at: number,
  finished_at: number,
  elapsed_time: number,
});

export const logs = z.object({
  ...paged,
  data: z.array(
    z.object({
      workflow_run: z
        .object({
          id: z.string(),
          status: text,
          error: text,
          elapsed_time: number,
          total_tokens: number,
          total_steps: number,
          created_at: number,
        })
        .nullish(),
      created_from: text,
    }),
  ),
});

export const dataset = z.object({
  id: z.string(),
  name: z.string(),
  description: text,
  indexing_technique: text,
  permission: text,
  document_count: number,
  word_count: number,
  app_count: number,
  embedding_model: text,
  embedding_available: bool,
  created_at: number,
  updated_at: number,
  /** How it is searched, as a search takes it. */
  retrieval_model_dict: map.nullish().catch(undefined),
});

export type Dataset = z.output<typeof dataset>;

export const datasets = z.object({ ...paged, data: z.array(dataset) });

export const document = z.object({
  id: z.string(),
  name: z.string(),
  indexing_status: text,
  display_status: text,
  error: text,
  enabled: bool,
  archived: bool,
  word_count: number,
  tokens: number,
  hit_count: number,
  segment_count: number,
  created_at: number,
});

export type Document = z.output<typeof document>;

export const documents = z.object({ ...paged, data: z.array(document) });

export const written = z.object({ document, batch: z.string() });

export const indexing = z.object({
  data: z.array(z.object({ indexing_status: text, error: text, completed_segments: number, total_segments: number })),
});

export const segments = z.object({
  ...paged,
  data: z.array(
    z.object({ id: z.string(), position: number, content: text, answer: text, word_count: number, enabled: bool }),
  ),
});

export const found = z.object({
  records: z.array(
    z.object({
      score: number,
      segment: z.object({
        id: z.string(),
        content: text,
        answer: text,
        document_id: text,
        document: z.object({ name: text }).nullish().catch(undefined),
      }),
    }),
  ),
});

/** Pages that are numbered. */
export const numbered =
  <T>(
    api: Api,
    type: z.ZodType<{ data: T[]; has_more?: boolean | null | undefined }>,
    path: readonly string[],
    asked: { readonly query: Readonly<Record<string, string | number | undefined>>; readonly signal: AbortSignal },
  ) =>
  async (next: string | undefined) => {
    const page = Number(next ?? 1);
    const { data, has_more } = await api.get(type, path, { ...asked, query: { ...asked.query, page, limit: 50 } });
    return { items: data, next: has_more ? String(page + 1) : undefined };
  };
