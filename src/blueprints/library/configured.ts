import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../kernel/errors.ts';
import { byFirstUse } from '../../kernel/first-use.ts';
import type { ModulesApi } from '../../modules/open.ts';
import type { Tables } from '../../store/store.ts';
import type { BlueprintSection } from '../settings.ts';
import type { Definable } from './library.ts';
import type { VaultFolder } from './vault-texts.ts';

/** Where the blueprints are that come with Sluice: beside the sources, and beside what is built of them. */
const shipped = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shipped-blueprints');

export interface ConfiguredLibrary extends Definable {
  /** The configuration may have changed. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** The library of the configuration. Another configuration brings another one. */
export function configuredLibrary(
  section: () => BlueprintSection,
  tables: Tables,
  modules: ModulesApi,
): ConfiguredLibrary {
  const { open, peek, settled, close } = byFirstUse(async () => {
    const { folders, vault: path } = section();
    const { createLibrary } = await import('./library.ts');
    const vault = path === undefined ? undefined : await openVault(path, modules);
    const library = createLibrary({
      // Nobody has to have the default one.
      folders: [...new Set(folders)].map((folder) => ({ path: folder, optional: basename(folder) === 'blueprints' })),
      tables,
      ...(vault && { vault }),
      shipped,
    });
    return {
      library,
      places: JSON.stringify([folders, path]),
      async [Symbol.asyncDispose]() {
        await library[Symbol.asyncDispose]();
        await vault?.[Symbol.asyncDispose]();
      },
    };
  });
  return {
    all: async () => await (await open()).library.all(),
    save: async (...given) => await (await open()).library.save(...given),
    stored: async (name) => await (await open()).library.stored(name),
    delete: async (...given) => await (await open()).library.delete(...given),
    problems: () => peek()?.library.problems() ?? [],
    async reload() {
      const opened = await settled();
      const { folders, vault } = section();
      if (opened && opened.places !== JSON.stringify([folders, vault])) await close();
    },
    close,
  };
}

async function openVault(path: string, modules: ModulesApi): Promise<VaultFolder & AsyncDisposable> {
  const instance = modules.instances().find(({ type }) => type === 'vault');
  const missing = new AppError('unavailable', 'blueprints.vault needs modules.vault, which is not configured.');
  if (!instance) return { read: () => Promise.reject(missing), async [Symbol.asyncDispose]() {} };
  return (await import('../../modules/vault/texts.ts')).vaultTextsAt(instance, path);
}
