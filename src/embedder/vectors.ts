import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of vectors that may be compared with each other: never of different ones. */
export interface Model {
  readonly name: string;
  readonly version: string;
  readonly dimensions: number;
}

export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** As the model is given them at a time: fewer are slower each, more keep a question waiting. */
const AT_ONCE = 64;
/** So often what was made so far is kept: whoever is stopped goes on from there. */
const KEPT_AFTER = 4 * AT_ONCE;
/** Some times what a catalogue has; beyond that only those of the texts at hand are kept. */
const MOST_KEPT = 20_000;
/** Of a text: it stands before its vector. */
const HASH_BYTES = 16;

/** A vector takes a byte for each dimension: what is lost changes no order that matters. */
const STEP = 127;

/** Where vectors are kept, by their texts: several catalogues have most of them in common. */
export interface Kept {
  readonly file: string;
  /** Makes those that are not there yet. Without it there are none until all are there. */
  readonly embed?: Embed;
  progress?(done: number, of: number): void;
}

/** The vectors of these texts, one after the other; undefined where some would have to be made. */
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

/** Of length 127, in whole steps. */
export function quantised(vector: readonly number[]): Int8Array {
  const length = Math.hypot(...vector) || 1;
  return Int8Array.from(vector, (value) => Math.round((value / length) * STEP));
}

/** How alike, from -1 to 1, in steps that every platform rounds the same. */
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
    // Those of another model, or half of what was written, are none.
    if (!bytes.subarray(0, head.length).equals(head) || (bytes.length - head.length) % row !== 0) return known;
    for (let at = head.length; at < bytes.length; at += row) {
      const vector = new Int8Array(bytes.buffer, bytes.byteOffset + at + HASH_BYTES, model.dimensions);
      known.set(bytes.toString('latin1', at, at + HASH_BYTES), vector);
    }
  } catch {
    // Not made yet, or not readable: made anew.
  }
  return known;
}

function keep(file: string, model: Model, known: Known): void {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const rows = [...known].flatMap(([hash, vector]) => [Buffer.from(hash, 'latin1'), Buffer.from(vector)]);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch {
    // As below.
    return;
  }
  try {
    writeFileSync(draft, Buffer.concat([headOf(model), ...rows]), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // A place that cannot be written to costs the next start the same work, and nothing else.
    rmSync(draft, { force: true });
  }
}
