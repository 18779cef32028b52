import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from './case.ts';

export interface CorpusFile {
  /** `structure/unknown-node-type` */
  readonly file: string;
  readonly cases: readonly Case[];
}

/** Every file under `corpus/`. */
export async function corpus(): Promise<CorpusFile[]> {
  const root = join(import.meta.dirname, 'corpus');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.sort().map(async (file) => {
      const { cases } = (await import(pathToFileURL(join(root, file)).href)) as { cases: readonly Case[] };
      return { file: file.slice(0, -'.ts'.length).replaceAll(sep, '/'), cases };
    }),
  );
}
