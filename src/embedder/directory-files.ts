import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../kernel/errors.ts';
import type { Model } from './vectors.ts';

/** A model in a directory, as the thread that runs it needs to know it. */
export interface DirectoryModel {
  readonly directory: string;
  /** The weights, below the directory. */
  readonly weights: string;
  readonly dimensions: number;
  /** Changes with the weights and the tokenizer. */
  readonly version: string;
}

export const FETCH = 'sluice memory model fetch';

/** The quantised weights are a quarter of the size and hardly less exact, so they come first. */
const WEIGHTS = ['onnx/model_quantized.onnx', 'onnx/model.onnx'];
const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

/** Reads which model a directory holds. Throws an AppError that names missing and broken files. */
export async function readDirectory(directory: string): Promise<DirectoryModel & { readonly model: Model }> {
  const weights = WEIGHTS.find((file) => existsSync(join(directory, file)));
  const missing = [
    ...NEEDED.filter((file) => !existsSync(join(directory, file))),
    ...(weights === undefined ? [WEIGHTS.join(' or ')] : []),
  ];
  if (weights === undefined || missing.length > 0) {
    throw new AppError(
      'unavailable',
      `${directory} is not a complete model: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. \`${FETCH}\` downloads all-MiniLM-L6-v2 and prints the path for memory.embedder.directory.`,
    );
  }
  const config = await readJson(directory, 'config.json');
  const dimensions = config.hidden_size;
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1)
    throw broken(directory, 'config.json', 'hidden_size is not a whole number');
  const version = await fingerprintOf(directory, weights);
  const model = { name: nameIn(config), version, dimensions };
  return { directory, weights, dimensions, version, model };
}

/** Not the path: replicas may have the same model in different places. */
function nameIn({ _name_or_path: path, model_type: type }: Record<string, unknown>): string {
  const name = typeof path === 'string' ? path.split('/').findLast((part) => part !== '') : undefined;
  return name ?? (typeof type === 'string' ? type : 'model');
}

export async function fingerprintOf(directory: string, weights: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [weights, 'tokenizer.json'])
    for await (const chunk of createReadStream(join(directory, file))) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 12);
}

export async function readJson(directory: string, file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(join(directory, file), 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw broken(directory, file, messageOf(error), error);
  }
}

const broken = (directory: string, file: string, why: string, cause?: unknown): AppError =>
  new AppError('invalid_input', `${join(directory, file)} cannot be used: ${why}. Download it again.`, { cause });
