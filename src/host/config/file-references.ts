import type { NameRead, ReadNames } from './scheme.ts';
import { readSecretFile } from './secret-file.ts';

/** Reads what `${file:path}` stands for. */
export const readFileReferences: ReadNames = async (names, { resolve }) => {
  const paths: string[] = [];
  const read = async (name: string): Promise<NameRead> => {
    if (name.includes('${'))
      return {
        absent: false,
        message: `\${file:${name}} holds another reference`,
        fix: 'Write the path itself. A relative one starts at the directory of the file.',
      };
    const path = resolve(name);
    const found = await readSecretFile(path);
    if (found.watched) paths.push(path);
    return found.read;
  };
  const values = await Promise.all(names.map(async (name) => [name, await read(name)] as const));
  return { from: resolve('.'), paths, values: new Map(values) };
};
