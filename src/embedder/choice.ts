import { z } from 'zod';
import { httpUrl, integer } from '../host/config/scalars.ts';

/** Which model turns texts into vectors. */
export type ModelChoice =
  | { readonly kind: 'packaged' }
  /** Files in the layout of transformers.js. */
  | { readonly kind: 'directory'; readonly path: string }
  /** An API like OpenAI's. `url` is what `/embeddings` is appended to. */
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly model: string;
      readonly apiKey?: string;
      readonly dimensions?: number;
    };

const MOST_DIMENSIONS = 16_000;

const own = z
  .strictObject({
    directory: z.string().min(1).optional(),
    url: httpUrl.optional(),
    model: z.string().min(1).optional(),
    /** Empty means none, so that `${OPENAI_API_KEY:-}` works without a key. */
    apiKey: z.string().optional(),
    /** The size of the vectors, for models that offer several. */
    dimensions: integer(1, MOST_DIMENSIONS).optional(),
  })
  .transform(({ directory, url, model, apiKey, dimensions }, context): ModelChoice => {
    const problem = (message: string, fix: string, path: readonly string[] = []) => {
      context.addIssue({ code: 'custom', message, params: { fix, absence: path.length === 0 }, path: [...path] });
      return z.NEVER;
    };
    if (directory !== undefined) {
      const extra = Object.entries({ url, model, apiKey, dimensions }).find(([, value]) => value !== undefined);
      if (!extra) return { kind: 'directory', path: directory };
      return problem(`does not go with directory`, 'Keep either directory, or url and model.', [extra[0]]);
    }
    if (url === undefined) return problem('has no model', 'Write directory: PATH, or url and model.');
    if (new URL(url).username !== '' || new URL(url).password !== '')
      return problem('contains a user name or password', 'Write the key as apiKey.', ['url']);
    if (model === undefined) return problem('has a url but no model', 'Add model, for example text-embedding-3-small.');
    return {
      kind: 'url',
      url,
      model,
      ...(apiKey !== undefined && apiKey !== '' && { apiKey }),
      ...(dimensions !== undefined && { dimensions }),
    };
  });

/** `memory.embedder` in sluice.yaml. */
export const modelChoice = z
  .union([z.literal('packaged').transform((): ModelChoice => ({ kind: 'packaged' })), own], {
    error: 'must be packaged, { directory: … } or { url: …, model: … }',
  })
  .default({ kind: 'packaged' });
