import { AppError } from '../../kernel/errors.ts';
import { byFirstUse } from '../../kernel/first-use.ts';
import { failureAt } from '../../kernel/unreachable.ts';
import type { Instance } from '../instance.ts';
import { tlsOf } from '../tls.ts';
import { connectVault, type Vault } from './connection.ts';
import { namesIn, within } from './folders.ts';
import { codeOf, type Place, placeOf, readSecret } from './kv.ts';
import type { VaultSettings } from './settings.ts';

/** The texts in the secrets at and below a path. */
export interface VaultTexts extends AsyncDisposable {
  /** By `path`, for the key `definition` of a secret, otherwise by `path#key`. */
  read(): Promise<ReadonlyMap<string, string>>;
}

const KEY = 'definition';
const MOST_SECRETS = 500;
const MOST_FOLDERS = 100;
const AT_ONCE = 8;
const PATIENCE_MS = 20_000;

/**
 * Reads with the connection settings of a vault module. Its allow-list does not matter: whoever writes the file says which
 * path it is.
 */
export function vaultTextsAt({ name, settings }: Pick<Instance, 'name' | 'settings'>, path: string): VaultTexts {
  const { paths: _, ...section } = settings as typeof settings & VaultSettings;
  const all: VaultSettings = section;
  const { open, close } = byFirstUse(async () =>
    connectVault(all, { name, tls: await tlsOf(settings, name), revealed() {} }),
  );

  async function texts(): Promise<ReadonlyMap<string, string>> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const vault = await open();
    const start = await placeOf(vault, path, signal);
    const places = await secretsBelow(vault, start, signal);
    const own = start.name === '' ? undefined : await readable(vault, start, signal);
    if (places.length === 0 && own === undefined)
      throw new AppError(
        'not_found',
        `There is nothing at ${start.path} in ${name}. Write a secret there, or correct the path.`,
      );
    const found = new Map(own ? textsOf(start.path, own) : []);
    for (let from = 0; from < places.length; from += AT_ONCE) {
      const read = places.slice(from, from + AT_ONCE).map(async (place) => {
        // Its newest version may be deleted.
        const data = await readable(vault, place, signal, ['not_found']);
        return data ? textsOf(place.path, data) : [];
      });
      for (const [where, text] of (await Promise.all(read)).flat()) found.set(where, text);
    }
    return found;
  }

  return {
    async read() {
      try {
        return await texts();
      } catch (error) {
        if (error instanceof AppError) throw error;
        const at = `${name} at ${new URL(all.url).host}`;
        if (error instanceof DOMException && error.name === 'TimeoutError')
          throw new AppError('timeout', `${at} did not answer within ${PATIENCE_MS / 1000} s.`, { cause: error });
        throw failureAt(at, `modules.${name}`, error) ?? error;
      }
    },
    [Symbol.asyncDispose]: close,
  };
}

type Data = Readonly<Record<string, unknown>>;

/** Undefined if there is no such secret. A policy for everything below a path often leaves out the path itself. */
async function readable(
  vault: Vault,
  place: Place,
  signal: AbortSignal,
  ignored: readonly string[] = ['not_found', 'forbidden'],
): Promise<Data | undefined> {
  try {
    return (await readSecret(vault, place, { signal })).data;
  } catch (error) {
    if (ignored.includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

async function secretsBelow(vault: Vault, start: Place, signal: AbortSignal): Promise<readonly Place[]> {
  const folders = [start];
  const secrets: Place[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(vault, folder, signal))
      (name.endsWith('/') ? folders : secrets).push(within(folder, name));
    if (secrets.length > MOST_SECRETS || folders.length > MOST_FOLDERS)
      throw new AppError(
        'too_large',
        `There is too much below ${start.path}: at most ${MOST_SECRETS} secrets in ${MOST_FOLDERS} folders are read. Use a path of its own.`,
      );
  }
  return secrets;
}

const textsOf = (path: string, data: Data): (readonly [string, string])[] =>
  Object.entries(data).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key === KEY ? path : `${path}#${key}`, value] as const] : [],
  );
