import { modelKey } from '../../embedder/text-model.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import type { Collection } from './collection.ts';
import type { Qdrant } from './connection.ts';

/** The vector of a collection that a call is about. */
export interface Using {
  /** '' if it has no name. */
  readonly name: string;
  readonly size: number;
}

/** The vector that is named, or the only one. */
export function usedVector({ name, vectors }: Collection, wanted: string | undefined): Using {
  const names = [...vectors.keys()];
  const chosen = wanted ?? (vectors.has('') || names.length === 1 ? names[0] : undefined);
  const found = chosen === undefined ? undefined : vectors.get(chosen);
  if (chosen !== undefined && found) return { name: chosen, size: found.size };
  if (names.length === 0) throw new AppError('invalid_input', `${name} has no dense vectors.`);
  const list = names.map((one) => (one === '' ? 'one without a name' : one)).join(', ');
  throw new AppError(
    'invalid_input',
    wanted === undefined
      ? `${name} has several vectors. Say with using which one: ${list}.`
      : `${name} has no vector ${wanted.slice(0, 100)}. It has ${list}.`,
  );
}

export function needSize({ name }: Collection, { size }: Using, vector: readonly number[]): void {
  if (vector.length === size) return;
  throw new AppError(
    'invalid_input',
    `The vector has ${vector.length} dimensions, and those of ${name} have ${size}. Use the model that made the others.`,
  );
}

/** Vectors of texts, if the section's model can have made those of the collection. */
export async function embedded(
  qdrant: Qdrant,
  collection: Collection,
  using: Using,
  { texts, signal, progress }: { texts: readonly string[]; signal: AbortSignal; progress?: Progress },
): Promise<{ vectors: number[][]; note: string | undefined }> {
  const model = await qdrant.model.identify(signal);
  const key = modelKey(model);
  const fix = `Set ${qdrant.setting}.embedder in sluice.yaml to the model that made them, or pass vectors.`;
  if (collection.embedder !== undefined && collection.embedder !== key)
    throw new AppError(
      'conflict',
      `The vectors of ${collection.name} are of the model ${collection.embedder.slice(0, 200)}, and Sluice uses ${key}. ${fix}`,
    );
  if (model.dimensions !== using.size)
    throw new AppError(
      'conflict',
      `The vectors of ${collection.name} have ${using.size} dimensions, and those of ${key} have ${model.dimensions}, so another model made them. ${fix}`,
    );
  const made = await qdrant.model.embed(texts, {
    signal,
    progress: (done, of) => progress?.(done, of, `${done} of ${of} texts have vectors`),
  });
  return {
    vectors: made.map((vector) => Array.from(vector)),
    note:
      collection.embedder === undefined
        ? `${collection.name} does not say which model made its vectors. This is right only if it was ${key}.`
        : undefined,
  };
}
