import { modelKey } from '../../embedder/text-model.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Collection } from './collection.ts';
import type { Pgvector } from './connect.ts';

/** A vector as pgvector reads it. */
export const written = (vector: ArrayLike<number>): string => `[${Array.from(vector).join(',')}]`;

/** Refuses a vector that the collection cannot compare with its own. */
export function needDimensions(
  { name, dimensions }: Pick<Collection, 'name' | 'dimensions'>,
  vector: ArrayLike<number>,
  what: string,
): void {
  if (dimensions === undefined || vector.length === dimensions) return;
  throw new AppError(
    'invalid_input',
    `${what} has ${vector.length} dimensions, and ${name} has ${dimensions}. Use a vector of the model that made the others.`,
  );
}

/** The name of the section's model, if this collection's vectors are of this model. Vectors of two models say nothing about each other. */
export async function needModel(
  { model }: Pick<Pgvector, 'model'>,
  collection: Collection,
  signal: AbortSignal,
): Promise<string> {
  const ours = await model.identify(signal);
  const key = modelKey(ours);
  const { name, dimensions, remembered } = collection;
  const fix = 'Set modules.pgvector.embedder in sluice.yaml to the model that made them, or pass vectors';
  if (remembered.model !== undefined && remembered.model !== key)
    throw new AppError(
      'conflict',
      `The vectors of ${name} are of the model ${remembered.model}, and Sluice uses ${key}. ${fix}, or make a new collection.`,
    );
  if (dimensions !== undefined && dimensions !== ours.dimensions)
    throw new AppError(
      'conflict',
      `The vectors of ${name} have ${dimensions} dimensions, and those of ${key} have ${ours.dimensions}, so another model made them. ${fix}.`,
    );
  return key;
}

/** What a reader must know if nobody knows which model made the vectors. */
export const modelNote = ({ name, remembered, dimensions }: Collection, key: string): string | undefined =>
  remembered.model === undefined && dimensions !== undefined
    ? `${name} does not say which model made its vectors. This is right only if it was ${key}.`
    : undefined;

export async function embedded(
  { model }: Pick<Pgvector, 'model'>,
  texts: readonly string[],
  signal: AbortSignal,
  progress?: (done: number, of: number) => void,
): Promise<Float32Array[]> {
  return await model.embed(texts, { signal, ...(progress && { progress }) });
}
