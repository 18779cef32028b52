import { constants } from 'node:fs';
import { access, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runNpm } from '../host/npm.ts';
import { waitForLock } from '../host/process-lock.ts';
import type { Env } from '../kernel/env.ts';
import { AppError } from '../kernel/errors.ts';

/** WebAssembly, because the native runtime ends the whole process when its thread is ended in mid-work. */
const packages = { 'onnxruntime-web': '1.30.0', '@huggingface/tokenizers': '0.2.0' };

/** The files that are needed: 14 MB of 149. */
const files = [
  'onnxruntime-web/dist/ort.wasm.min.mjs',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  '@huggingface/tokenizers/dist/tokenizers.min.mjs',
];

export type RuntimeProgress = { readonly phase: 'waiting' } | { readonly phase: 'fetching'; readonly packages: number };

export interface RuntimeOptions {
  readonly cache: string;
  readonly env: Env;
  readonly signal?: AbortSignal;
  onProgress?(progress: RuntimeProgress): void;
}

/** Where programs that run models are, for every home of this user. */
const directoryIn = (cache: string): string => join(cache, 'embedder', `runtime-${Object.values(packages).join('-')}`);

/** The folder of the runtime; undefined if it is not installed. */
export async function findRuntime(cache: string): Promise<string | undefined> {
  const directory = directoryIn(cache);
  const checks = await Promise.allSettled(files.map((file) => access(join(directory, basename(file)), constants.R_OK)));
  return checks.every(({ status }) => status === 'fulfilled') ? directory : undefined;
}

/** Installs the runtime from npm unless it is installed already. Returns its folder. */
export async function installRuntime(options: RuntimeOptions): Promise<string> {
  const { cache, env, signal, onProgress } = options;
  const found = await findRuntime(cache);
  if (found !== undefined) return found;
  const directory = directoryIn(cache);
  using _lock = await waitForLock(`${directory}.lock`, () => onProgress?.({ phase: 'waiting' }), signal);
  // The process that held the lock before may have installed it.
  const done = await findRuntime(cache);
  if (done !== undefined) return done;
  const draft = `${directory}.part`;
  const ready = join(draft, 'ready');
  await rm(draft, { recursive: true, force: true });
  await mkdir(ready, { recursive: true });
  try {
    await writeFile(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    let fetched = 0;
    onProgress?.({ phase: 'fetching', packages: fetched });
    await runNpm({
      args: [
        'install',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--loglevel=http',
        '--global=false',
        ...patience,
      ],
      cwd: draft,
      env,
      signal,
      onFetch: () => onProgress?.({ phase: 'fetching', packages: ++fetched }),
    });
    for (const file of files) await copyFile(join(draft, 'node_modules', file), join(ready, basename(file)));
    await rm(directory, { recursive: true, force: true });
    await rename(ready, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const installed = await findRuntime(cache);
  if (installed !== undefined) return installed;
  throw new AppError(
    'internal',
    `The runtime was installed, but files are missing. Remove ${directory} and try again.`,
  );
}

// Fails after about 15 seconds without a network, and survives a short interruption.
const patience = ['--fetch-retries=3', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=1000'];
