import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DirectoryModel, fingerprintOf, readJson } from './directory-files.ts';
import type { Embed } from './vectors.ts';

/** The part of onnxruntime-web that is used. The runtime is not a dependency: see runtime.ts. */
interface Ort {
  readonly env: { readonly wasm: { numThreads?: number }; logLevel?: string };
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dimensions: readonly number[]) => unknown;
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Output>>>;
}

interface Output {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}

/** More than any model reads that is small enough for this. */
const MOST_TOKENS = 512;
/** A token is rarely longer. Nobody reads the rest of a long text, so do not tokenize it. */
const CHARACTERS = 20;

/** Loads a model in ONNX format: the mean of its last layer is the vector of a text. */
export async function loadDirectory(model: DirectoryModel, runtime: string): Promise<Embed> {
  const { directory, weights, dimensions } = model;
  if ((await fingerprintOf(directory, weights)) !== model.version)
    throw new Error(`the files in ${directory} have changed. Restart Sluice to use the new model`);
  const script = (name: string) => pathToFileURL(join(runtime, name)).href;
  const [ort, { Tokenizer: Reader }] = (await Promise.all([
    import(script('ort.wasm.min.mjs')),
    import(script('tokenizers.min.mjs')),
  ])) as [Ort, { readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer }];
  const config = await readJson(directory, 'tokenizer_config.json');
  const tokenizer = new Reader(await readJson(directory, 'tokenizer.json'), config);
  const most = await mostTokens(directory, config);
  // More threads would need workers of their own.
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const session = await ort.InferenceSession.create(await readFile(join(directory, weights)), {
    executionProviders: ['wasm'],
    logSeverityLevel: 3,
  });
  const output = ['last_hidden_state', 'token_embeddings'].find((name) => session.outputNames.includes(name));
  if (output === undefined) throw new Error(`${weights} has no output last_hidden_state`);

  async function embedOne(text: string): Promise<number[]> {
    const { ids: all } = tokenizer.encode(text.slice(0, most * CHARACTERS));
    // The last token marks the end.
    const ids = all.length > most ? [...all.slice(0, most - 1), all.at(-1) as number] : all;
    const tensor = (value: (id: number) => number) =>
      new ort.Tensor(
        'int64',
        BigInt64Array.from(ids, (id) => BigInt(value(id))),
        [1, ids.length],
      );
    const inputs = Object.entries({
      input_ids: tensor((id) => id),
      attention_mask: tensor(() => 1),
      token_type_ids: tensor(() => 0),
    }).filter(([name]) => session.inputNames.includes(name));
    const answer = (await session.run(Object.fromEntries(inputs)))[output as string] as Output;
    if (answer.dims.at(-1) !== dimensions)
      throw new Error(`${weights} gives ${answer.dims.at(-1)} dimensions, but config.json says ${dimensions}`);
    return meanOf(answer.data, dimensions);
  }

  return async (texts) => {
    const vectors: number[][] = [];
    // Together they would be no faster, and padding would make short ones slower.
    for (const text of texts) vectors.push(await embedOne(text));
    return vectors;
  };
}

function meanOf(rows: Float32Array, dimensions: number): number[] {
  const mean = Array.from({ length: dimensions }, () => 0);
  for (const [at, value] of rows.entries()) mean[at % dimensions] = (mean[at % dimensions] as number) + value;
  return mean.map((sum) => sum / (rows.length / dimensions));
}

/** The least of what the files say: a model for sentences is often trained on shorter texts than it can read. */
async function mostTokens(directory: string, tokenizerConfig: Record<string, unknown>): Promise<number> {
  const { max_position_embeddings: positions } = await readJson(directory, 'config.json');
  const sentences = 'sentence_bert_config.json';
  const { max_seq_length: trained } = existsSync(join(directory, sentences))
    ? await readJson(directory, sentences)
    : {};
  const given = [positions, tokenizerConfig.model_max_length, trained].filter((most) => typeof most === 'number');
  return Math.max(2, Math.min(MOST_TOKENS, ...given));
}
