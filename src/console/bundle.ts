import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageFile } from '../host/page-file.ts';
import { AppError } from '../kernel/errors.ts';
import { late } from '../kernel/late.ts';
import type * as Bundling from './bundling.ts';

/** What a browser loads, as `manifest.json` in the bundle's directory describes it. */
export interface Bundle {
  readonly directory: string;
  readonly script: string;
  readonly style: string;
  /** Scripts that the first one imports. */
  readonly preload: readonly string[];
  readonly files: readonly string[];
}

/** The same place in a clone and in the published package. */
const directory = fileURLToPath(new URL('../../dist/browser/', import.meta.url));
const sources = fileURLToPath(new URL('../../src/', import.meta.url));

/** The bundle, which is made now if it is missing or older than its sources. */
export const currentBundle = late(async (pages: readonly PageFile[]): Promise<Bundle> => {
  const made = await readManifest();
  if (!(await isThere(sources))) {
    if (made) return made;
    throw new AppError('unavailable', 'The console is missing from this installation. Install Sluice again.');
  }
  const bundling = await loadBundling();
  if (!bundling) {
    if (made) return made;
    throw new AppError('unavailable', 'The console is not bundled, and esbuild is not installed. Run `npm ci`.');
  }
  const { bundleConsole, newestSource } = bundling;
  if (made && made.at >= (await newestSource(sources))) return made;
  await bundleConsole({ pages, sources, directory });
  const fresh = await readManifest();
  if (!fresh) throw new AppError('unavailable', 'The console could not be bundled. Run `npm ci` again.');
  return fresh;
});

/** For `npm ci` and `npm run build`. False if the bundler is not installed, as after `npm ci --omit=dev`. */
export async function makeBundle(pages: readonly PageFile[]): Promise<boolean> {
  const bundling = await loadBundling();
  await bundling?.bundleConsole({ pages, sources, directory });
  return bundling !== undefined;
}

/** Undefined if esbuild, which is a development dependency, is not installed. */
async function loadBundling(): Promise<typeof Bundling | undefined> {
  try {
    return await import('./bundling.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function readManifest(): Promise<(Bundle & { at: number }) | undefined> {
  try {
    const read = JSON.parse(await readFile(`${directory}manifest.json`, 'utf8')) as Bundle & { at: number };
    return { ...read, directory };
  } catch {
    return undefined;
  }
}

const isThere = (path: string) =>
  stat(`${path}console/client`).then(
    () => true,
    () => false,
  );
