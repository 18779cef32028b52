import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { PageFile } from '../host/page-file.ts';

export interface Bundling {
  readonly pages: readonly PageFile[];
  readonly sources: string;
  readonly directory: string;
}

/** Makes the bundle beside the old one and then takes its place, so that a gateway that serves the old one never finds half. */
export async function bundleConsole({ pages, sources, directory }: Bundling): Promise<void> {
  const at = await newestSource(sources);
  const { outputFiles, metafile } = await build({
    stdin: { contents: entryOf(pages, await stylesOf(pages, sources)), resolveDir: sources, loader: 'tsx' },
    outdir: '/out',
    entryNames: 'console-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    write: false,
    logLevel: 'silent',
    legalComments: 'none',
  });
  const outputs = Object.entries(metafile.outputs);
  const [script, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint === '<stdin>') as (typeof outputs)[0];
  const style = outputs.find(([file]) => file.endsWith('.css'))?.[0] ?? '';
  const preload = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
  const next = `${directory.replace(/\/$/, '')}.${process.pid}`;
  await rm(next, { recursive: true, force: true });
  await mkdir(next, { recursive: true });
  for (const { path, contents } of outputFiles) {
    await writeFile(join(next, basename(path)), contents);
    await writeFile(join(next, `${basename(path)}.gz`), gzipSync(contents, { level: 9 }));
  }
  const files = outputFiles.map(({ path }) => basename(path));
  const manifest = { script: basename(script), style: basename(style), preload, files, at };
  await writeFile(join(next, 'manifest.json'), JSON.stringify(manifest));
  await rm(directory, { recursive: true, force: true });
  await rename(next, directory);
}

/** When the newest of the files was changed that the bundle may be made of. */
export async function newestSource(sources: string): Promise<number> {
  const all = await readdir(sources, { recursive: true, withFileTypes: true });
  const ours = all.filter(
    ({ name, parentPath }) =>
      /\.(tsx|css)$/.test(name) ||
      name === 'part.ts' ||
      /[\\/](client|pages)([\\/]|$)/.test(parentPath.slice(sources.length - 1)),
  );
  const times = await Promise.all(
    ours.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs),
  );
  return Math.max(...times);
}

/** The stylesheets beside the pages. All are one: together they are smaller than a second request. */
async function stylesOf(pages: readonly PageFile[], sources: string): Promise<string[]> {
  const folders = [...new Set(pages.map(({ module }) => dirname(module)))];
  const inEach = folders.map(async (folder) =>
    (await readdir(join(sources, folder))).filter((name) => name.endsWith('.css')).map((name) => `${folder}/${name}`),
  );
  return (await Promise.all(inEach)).flat().sort();
}

/** The first module: starts the console with the pages, each of which is loaded when it is opened. */
function entryOf(pages: readonly PageFile[], styles: readonly string[]): string {
  const list = pages.map(
    ({ module, ...page }) => `{ ...${JSON.stringify(page)}, load: () => import(${JSON.stringify(`./${module}`)}) }`,
  );
  return `${['console/client/style.css', ...styles].map((style) => `import './${style}';`).join('\n')}
import { start } from './console/client/main.tsx';
start([${list.join(',\n')}]);
`;
}
