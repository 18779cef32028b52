import { z } from 'zod';
import { modelChoice } from '../../embedder/choice.ts';
import { httpUrl } from '../../host/config/scalars.ts';
import { allowList } from '../allowed.ts';

export const qdrantSettings = z.object({
  /** Without a port it is 6333, as with Qdrant's own clients. */
  url: httpUrl.default('http://127.0.0.1:6333'),
  apiKey: z.string().min(1).optional(),
  /** The collections that may be read and changed: names or globs; default all. */
  collections: allowList,
  /** The model that turns texts into vectors. */
  embedder: modelChoice,
});

export type QdrantSettings = z.output<typeof qdrantSettings>;
