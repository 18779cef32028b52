import { z } from 'zod';
import type { Vault } from './connection.ts';
import { codeOf, type Place, requestPath } from './kv.ts';

const answer = z.object({ data: z.object({ keys: z.array(z.string()) }) });

/** The names in a folder that the section allows; those of folders end with a slash. Empty if there is no such folder. */
export async function namesIn(vault: Vault, folder: Place, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const { data } = await vault.ask(answer, [...requestPath(folder, 'metadata'), ''], {
      query: { list: true },
      signal,
    });
    return data.keys.filter((name) => {
      const path = `${folder.path}/${name}`;
      return name.endsWith('/') ? vault.holdsAllowed(path) : vault.paths.has(path);
    });
  } catch (error) {
    if (codeOf(error) === 'not_found') return [];
    throw error;
  }
}

/** A folder or secret in a folder. */
export function within({ mount, name, path }: Place, inner: string): Place {
  const plain = inner.replace(/\/$/, '');
  return { mount, name: name === '' ? plain : `${name}/${plain}`, path: `${path}/${plain}` };
}
