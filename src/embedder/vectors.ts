import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The model of a vector. Only vectors of the same model can be compared. */
export interface Model {
  readonly name: string;
  readonly version: string;
  readonly dimensions: number;
}

export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** How many texts the model gets at a time. Fewer take longer each; more make a question wait. */
const AT_ONCE = 64;
/** Save after this many, so that an interrupted run continues from there. */
const KEPT_AFTER = 4 * AT_ONCE;
/** A few times the size of a catalogue. Beyond that, only the vectors of the current texts are kept. */
const MOST_KEPT = 20_000;
/** Length of the text's hash that precedes its vector. */
const HASH_BYTES = 16;

/** A vector takes one byte per dimension. The lost precision does not change any order that matters. */
const STEP = 127;

/** Where vectors are stored, by text: several catalogues have most texts in common. */
export interface Kept {
  readonly file: string;
  /** Makes missing vectors. Without it the result is undefined until all exist. */
  readonly embed?: Embed;
  progress?(done: number, of: number): void;
}

/** The vectors of these texts, one after the other; undefined if some are missing and cannot be made. */
export async function vectorsOf(
  meant: readonly { readonly text: string }[],
  model: Model,
  { file, embed, progress }: Kept,
): Promise<Int8Array | undefined> {
  const known = readKept(file, model);
  const hashes = meant.map(({ text }) => hashOf(text));
  const missing = meant.flatMap(({ text }, at) => (known.has(hashes[at] as string) ? [] : [{ text, at }]));
  if (missing.length > 0 && !embed) return undefined;
  const had = meant.length - missing.length;
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    progress?.(had + from, meant.length);
    const some = missing.slice(from, from + AT_ONCE);
    const made = await (embed as Embed)(some.map(({ text }) => text));
    for (const [index, vector] of made.entries()) known.set(hashes[some[index]?.at ?? 0] as string, quantised(vector));
    if ((from / AT_ONCE) % (KEPT_AFTER / AT_ONCE) === 0 || from + AT_ONCE >= missing.length) {
      keep(file, model, known.size > MOST_KEPT ? only(known, hashes) : known);
    }
  }
  if (missing.length > 0) progress?.(meant.length, meant.length);
  const vectors = new Int8Array(meant.length * model.dimensions);
  for (const [at, hash] of hashes.entries()) vectors.set(known.get(hash) ?? [], at * model.dimensions);
  return vectors;
}

/** Scales a vector to length 127 and rounds it. */
export function quantised(vector: readonly number[]): Int8Array {
  const length = Math.hypot(...vector) || 1;
  return Int8Array.from(vector, (value) => Math.round((value / length) * STEP));
}

/** Vectors of length 1, one after the other. */
export function unitVectors(vectors: readonly ArrayLike<number>[], dimensions: number): Float32Array {
  const all = new Float32Array(vectors.length * dimensions);
  for (const [at, vector] of vectors.entries()) {
    const length = Math.sqrt(Array.from(vector).reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let index = 0; index < dimensions; index++) all[at * dimensions + index] = (vector[index] ?? 0) / length;
  }
  return all;
}

/** Similarity from -1 to 1, in steps that round the same on every platform. */
export function likeness(one: Int8Array, vectors: Int8Array, at: number): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] as number) * (vectors[at + index] as number);
  return Math.round((sum / (STEP * STEP)) * 1000) / 1000;
}

type Known = Map<string, Int8Array>;

const hashOf = (text: string): string => createHash('sha256').update(text).digest().toString('latin1', 0, HASH_BYTES);

const headOf = (model: Model): Buffer => createHash('sha256').update(JSON.stringify(model)).digest();

const only = (known: Known, hashes: readonly string[]): Known =>
  new Map(hashes.flatMap((hash) => (known.has(hash) ? [[hash, known.get(hash) as Int8Array]] : [])));

function readKept(file: string, model: Model): Known {
  const known: Known = new Map();
  try {
    const bytes = readFileSync(file);
    const head = headOf(model);
    const row = HASH_BYTES + model.dimensions;
    // Ignore a file of another model, or one that was only half written.
    if (!bytes.subarray(0, head.length).equals(head) || (bytes.length - head.length) % row !== 0) return known;
    for (let at = head.length; at < bytes.length; at += row) {
      const vector = new Int8Array(bytes.buffer, bytes.byteOffset + at + HASH_BYTES, model.dimensions);
      known.set(bytes.toString('latin1', at, at + HASH_BYTES), vector);
    }
  } catch {
    // Does not exist yet, or cannot be read: start over.
  }
  return known;
}

function keep(file: string, model: Model, known: Known): void {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const rows = [...known].flatMap(([hash, vector]) => [Buffer.from(hash, 'latin1'), Buffer.from(vector)]);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch {
    // See below.
    return;
  }
  try {
    writeFileSync(draft, Buffer.concat([headOf(model), ...rows]), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // If the file cannot be written, the next start repeats the work. Nothing else is lost.
    rmSync(draft, { force: true });
  }
}
