import { AppError } from '../kernel/errors.ts';
import type { ModelChoice } from './choice.ts';
import { type ApiOptions, createEmbeddingsApi } from './embeddings-api.ts';
import type { Model, TextModel } from './text-model.ts';
import { unitVectors } from './vectors.ts';

/** APIs take at least as many texts and bytes in one request. */
const MOST_TEXTS = 64;
const MOST_BYTES = 200 * 1024;
/** Models read at most about 8,000 tokens. */
const MOST_READ = 8000;
/** Somebody waits for so few texts, and is better served without them than late. */
const FEW = 8;
const WITHIN_MS = 15_000;
const ATTEMPTS = { few: 3, many: 6 };
/** Who waits does not ask an API again that failed so recently. */
const AWAY_MS = 15_000;

export interface UrlOptions extends Pick<ApiOptions, 'timeoutMs' | 'retry'> {
  readonly withinMs?: number;
  readonly awayMs?: number;
}

type UrlChoice = Extract<ModelChoice, { kind: 'url' }>;

/** A model behind an API like OpenAI's. */
export function urlModel(
  choice: UrlChoice,
  { withinMs = WITHIN_MS, awayMs = AWAY_MS, ...options }: UrlOptions = {},
): TextModel {
  const { model: name, dimensions: wanted } = choice;
  const api = createEmbeddingsApi({ ...choice, ...options });
  let dimensions = wanted;
  let away: { readonly error: AppError; readonly until: number } | undefined;

  async function ask(body: object, few: boolean, signal: AbortSignal | undefined): Promise<unknown> {
    if (few && away && Date.now() < away.until) throw away.error;
    try {
      const answer = await api.ask(
        body,
        few ? { signal, attempts: ATTEMPTS.few, withinMs } : { signal, attempts: ATTEMPTS.many },
      );
      away = undefined;
      return answer;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') away = { error, until: Date.now() + awayMs };
      throw error;
    }
  }

  async function request(input: readonly string[], few: boolean, signal: AbortSignal | undefined) {
    const body = { model: name, input, encoding_format: 'float', ...(wanted !== undefined && { dimensions: wanted }) };
    const vectors = vectorsIn(await ask(body, few, signal));
    if (vectors?.length !== input.length) {
      const got = vectors ? `${vectors.length} vectors for ${input.length} texts` : 'no vectors';
      throw new AppError('invalid_input', `${api.shown} gave ${got}. Check that ${name} is a model for embeddings.`);
    }
    const size = vectors[0]?.length ?? 0;
    if (vectors.some((vector) => vector.length !== size || size === 0))
      throw new AppError('unavailable', `${api.shown} gave vectors of different sizes. Try again.`);
    if (dimensions !== undefined && size !== dimensions) throw wrongSize(size, dimensions);
    dimensions = size;
    return vectors;
  }

  function wrongSize(size: number, expected: number): AppError {
    const gave = `${api.shown} gave vectors with ${size} dimensions instead of ${expected}.`;
    return wanted === undefined
      ? new AppError('unavailable', `${gave} The model behind ${name} has changed. Restart Sluice to use the new one.`)
      : new AppError('invalid_input', `${gave} Write dimensions: ${size}, or choose a model that offers ${expected}.`);
  }

  return {
    async identify(signal): Promise<Model> {
      if (dimensions === undefined) await request(['dimensions'], true, signal);
      return { name, version: 'api', dimensions: dimensions as number };
    },
    async embed(texts, { signal, progress } = {}) {
      const made: Float32Array[] = [];
      const few = texts.length <= FEW;
      for (const some of batchesOf(texts.map(readable))) {
        const vectors = await request(some, few, signal);
        for (const vector of vectors) made.push(unitVectors([vector], vector.length));
        progress?.(made.length, texts.length);
      }
      return made;
    },
  };
}

/** APIs refuse an empty text. */
const readable = (text: string): string => text.slice(0, MOST_READ).toWellFormed() || ' ';

export function* batchesOf(texts: readonly string[]): Generator<string[]> {
  let some: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const more = Buffer.byteLength(text);
    if (some.length > 0 && (some.length === MOST_TEXTS || bytes + more > MOST_BYTES)) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(text);
    bytes += more;
  }
  if (some.length > 0) yield some;
}

/** The vectors of an answer in the order of their texts; undefined if there are none. */
function vectorsIn(answer: unknown): readonly (readonly number[])[] | undefined {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const rows = data as readonly { index?: unknown; embedding?: unknown }[];
  const ordered = new Map(rows.map((row, at) => [typeof row?.index === 'number' ? row.index : at, row?.embedding]));
  const vectors = rows.map((_, at) => ordered.get(at)).filter(isVector);
  return vectors.length === 0 ? undefined : vectors;
}

const isVector = (given: unknown): given is readonly number[] =>
  Array.isArray(given) && given.every((value) => typeof value === 'number' && Number.isFinite(value));
