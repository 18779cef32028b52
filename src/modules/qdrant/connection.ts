import { z } from 'zod';
import type { TextModel } from '../../embedder/text-model.ts';
import type { Progress } from '../../kernel/progress.ts';
import { type Allowed, allowed } from '../allowed.ts';
import { type Asked, HttpError, httpTo } from '../http.ts';
import type { Around } from '../module.ts';
import { untilAllowed } from '../rate-limited.ts';
import { endpointOf } from './endpoint.ts';
import { exactJson } from './exact-json.ts';
import { explain } from './explain.ts';
import type { QdrantSettings } from './settings.ts';

/** What the tools use. */
export interface Qdrant extends AsyncDisposable {
  readonly collections: Allowed;
  /** Turns texts into vectors. */
  readonly model: TextModel;
  /** Where the section is in the file. */
  readonly setting: string;
  /** The `result` of an answer. `path` is percent-encoded. */
  ask<T>(type: z.ZodType<T>, path: string, asking: Asking): Promise<T>;
  /** Which Qdrant it is: this answer has no `result`. */
  version(asking: Asking): Promise<{ version: string; commit?: string | null | undefined }>;
}

interface Asking extends Pick<Asked, 'method' | 'body' | 'query'> {
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
}

const MOST_BYTES = 16 * 1024 * 1024;

export function connectQdrant(
  { url, apiKey, collections, embedder }: QdrantSettings,
  { name, tls, model }: Pick<Around, 'name' | 'tls' | 'model'>,
): Qdrant {
  const setting = `modules.${name}`;
  const base = endpointOf(url);
  const at = `${name} at ${new URL(base).host}`;
  const http = httpTo({
    base,
    tls,
    mostBytes: MOST_BYTES,
    codec: exactJson,
    headers: apiKey === undefined ? {} : { 'api-key': apiKey },
  });

  async function send<T>(type: z.ZodType<T>, path: string, { signal, progress, ...asked }: Asking): Promise<T> {
    try {
      return await untilAllowed(() => http.json(type, path, { ...asked, signal }), { at, signal, progress });
    } catch (error) {
      if (error instanceof HttpError) throw explain(error, { at, setting });
      throw error;
    }
  }

  return {
    collections: allowed(collections, 'collection', `${setting}.collections`),
    // A check of the connection has no model, and needs none.
    get model() {
      return model(embedder);
    },
    setting,
    ask: async <T>(type: z.ZodType<T>, path: string, asking: Asking) =>
      (await send(z.object({ result: type }), path, asking)).result,
    version: (asking) => send(z.object({ version: z.string(), commit: z.string().nullish() }), '/', asking),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
