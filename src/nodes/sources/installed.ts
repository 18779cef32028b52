import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { fromPackage, type RawTypes } from '../build/raw.ts';

/** The packages that every n8n includes. */
export const nodePackages = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'] as const;

/** Reads the node types of both packages from a `node_modules` folder, without any download. */
export async function installedTypes(modules: string): Promise<RawTypes> {
  const all = await Promise.all(nodePackages.map((name) => packageTypes(name, join(modules, name))));
  return { nodes: all.flatMap(({ nodes }) => nodes), credentials: all.flatMap(({ credentials }) => credentials) };
}

/** Reads the node types of an unpacked package. */
export async function packageTypes(name: string, folder: string): Promise<RawTypes> {
  const [nodes, credentials] = await Promise.all(
    ['nodes', 'credentials'].map(async (kind) => {
      const file = join(folder, 'dist', 'types', `${kind}.json`);
      try {
        const list: unknown = JSON.parse(await readFile(file, 'utf8'));
        if (Array.isArray(list)) return list as unknown[];
      } catch (error) {
        throw new AppError('unavailable', `${name} has no readable list of its ${kind} (${messageOf(error)}).`, {
          cause: error,
        });
      }
      throw new AppError('unavailable', `${name} has no list of its ${kind} in dist/types/${kind}.json.`);
    }),
  );
  return fromPackage(name, { nodes: nodes ?? [], credentials: credentials ?? [] });
}
