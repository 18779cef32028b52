import type { Env } from '../../kernel/env.ts';
import { own } from '../../kernel/own.ts';
import type { Problem } from './problems.ts';
import { readSecretFile } from './secret-file.ts';

export interface VariableFiles {
  /** The variables whose values are in files. All of them are secret. */
  readonly values: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly problems: readonly Problem[];
}

/** Reads variables from the files that `NAME_FILE` names, as Docker and Kubernetes deliver secrets. */
export async function readVariableFiles(
  names: readonly string[],
  env: Env,
  resolve: (path: string) => string,
): Promise<VariableFiles> {
  const values = new Map<string, string>();
  const paths: string[] = [];
  const problems: Problem[] = [];
  for (const name of names) {
    const variable = `${name}_FILE`;
    const problem = (message: string, fix: string) => problems.push({ path: variable, message, fix });
    if (own(env, name)) {
      problem(`is set together with ${name}`, 'Set only one of them.');
      continue;
    }
    const path = resolve(own(env, variable) as string);
    const { read, watched } = await readSecretFile(path);
    if (watched) paths.push(path);
    if ('message' in read) problem(`names ${read.message}`, read.fix);
    else if (read.value === '') problem(`names ${path}, which is empty`, `Write the value of ${name} into it.`);
    else values.set(name, read.value);
  }
  return { values: Object.fromEntries(values), paths, problems };
}
