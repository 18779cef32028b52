import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { type Content, content } from './mark.ts';

/** A workflow that comes with Sluice, for blueprints to use. */
export interface ShippedWorkflow extends Content {
  /** The name of its file. */
  readonly file: string;
  readonly description: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Beside the sources, and beside what is built of them. */
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'n8n-workflows');

const shape = content.extend({ description: z.string(), settings: z.record(z.string(), z.unknown()) });

/** The workflows of these names, or all. */
export async function shippedWorkflows(names: readonly string[]): Promise<ShippedWorkflow[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => basename(name, '.json'))
    .sort();
  const unknown = names.find((name) => !files.includes(name));
  if (unknown !== undefined)
    throw new AppError(
      'not_found',
      `No workflow ${shown(unknown)} comes with Sluice. ${didYouMean(nearestNames(unknown, files), `There are ${files.join(', ')}.`)}`,
    );
  const wanted = names.length === 0 ? files : [...new Set(names)];
  return Promise.all(
    wanted.map(async (file) => ({
      file,
      ...shape.parse(JSON.parse(await readFile(join(folder, `${file}.json`), 'utf8'))),
    })),
  );
}
