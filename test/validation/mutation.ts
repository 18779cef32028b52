import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A valid workflow of the corpus. */
export interface Sound {
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly [key: string]: unknown;
}

/** One way to break a valid workflow, and the rule that must report it. */
export interface Mutation {
  readonly name: string;
  readonly rule: string;
  /** The broken workflows, each with the path of the error; none if it cannot be broken like this. */
  readonly break: (workflow: Sound) => readonly Mutant[];
}

export interface Mutant {
  readonly workflow: unknown;
  readonly path: string;
}

/** Every file under `mutations/` exports `mutations`. */
export async function everyMutation(): Promise<Mutation[]> {
  const root = join(import.meta.dirname, 'mutations');
  const files = readdirSync(root).filter((file) => file.endsWith('.ts'));
  const all = await Promise.all(
    files.sort().map(async (file) => {
      const { mutations } = (await import(pathToFileURL(join(root, file)).href)) as { mutations: Mutation[] };
      return mutations;
    }),
  );
  return all.flat();
}
