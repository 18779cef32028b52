import { z } from 'zod';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { HttpError } from '../http.ts';
import type { VaultApi } from './api.ts';

type Asks = Pick<VaultApi, 'ask'>;

/** A secrets engine, and where it is. */
export interface Mount {
  /** Its path without the slash at the end: `secret`, or `team/secret`. */
  readonly path: string;
  readonly type: string;
  /** Of KV engines; undefined for others. */
  readonly version: 1 | 2 | undefined;
}

/** Where a secret is: its engine, and its name there. */
export interface Place {
  readonly mount: Mount & { readonly version: 1 | 2 };
  /** `app/db`; empty for the engine itself. */
  readonly name: string;
  /** The whole path without `data/`, as allow-lists and replies have it: `secret/app/db`. */
  readonly path: string;
}

/** A secret as it is, values included. */
export interface Secret {
  readonly data: Readonly<Record<string, unknown>>;
  /** KV version 1 keeps no versions. */
  readonly version?: number;
  readonly created?: string;
  readonly customMetadata?: Readonly<Record<string, string>>;
}

const mountAnswer = z.object({
  data: z.object({
    path: z.string(),
    type: z.string(),
    options: z.object({ version: z.string().optional() }).nullish(),
  }),
});

const mountsAnswer = z.object({
  data: z.record(
    z.string(),
    z.object({ type: z.string(), options: z.object({ version: z.string().optional() }).nullish() }),
  ),
});

export function mountFrom(
  path: string,
  { type, options }: { type: string; options?: { version?: string | undefined } | null | undefined },
): Mount {
  const isKv = type === 'kv' || type === 'generic';
  return { path: path.replace(/\/$/, ''), type, version: isKv ? (options?.version === '2' ? 2 : 1) : undefined };
}

/** The parts of a path from outside. A slash at its end or start means nothing. */
export function partsOf(path: string): string[] {
  const parts = path.replace(/^\/+|\/+$/g, '').split('/');
  if (parts.every((part) => part !== '' && part !== '.' && part !== '..' && !CONTROL.test(part))) return parts;
  throw new AppError('invalid_input', `"${path.slice(0, 200)}" is not a path. Write it as secret/app/db.`);
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Finds the engine of a path, with the request that the vault command uses: it needs no rights in sys/. */
async function mountOf(vault: Asks, parts: readonly string[], signal: AbortSignal): Promise<Mount> {
  try {
    const { data } = await vault.ask(mountAnswer, ['sys', 'internal', 'ui', 'mounts', ...parts], { signal });
    return mountFrom(data.path, data);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'forbidden')
      throw new AppError(
        'forbidden',
        `This token may use no secrets engine at ${parts.join('/')}, or there is none. vault_list_mounts shows those that it may use.`,
        { cause: error },
      );
    // A proxy may keep internal paths back.
    if (code !== 'not_found' && code !== 'unsupported') throw error;
    return await mountAmongAll(vault, parts, signal);
  }
}

async function mountAmongAll(vault: Asks, parts: readonly string[], signal: AbortSignal): Promise<Mount> {
  const { data } = await vault.ask(mountsAnswer, ['sys', 'mounts'], { signal });
  const path = `${parts.join('/')}/`;
  const found = Object.entries(data).find(([mount]) => path.startsWith(mount));
  if (found) return mountFrom(...found);
  throw new AppError('not_found', `There is no secrets engine at ${parts.join('/')}. vault_list_mounts shows them.`);
}

/**
 * Where the secret with this whole path is. `secret/app/db` and `secret/data/app/db`, as the API has it, are the same, so
 * check allow-lists with the `path` of the result.
 */
export async function placeOf(vault: Asks, path: string, signal: AbortSignal): Promise<Place> {
  const parts = partsOf(path);
  const mount = await mountOf(vault, parts, signal);
  const { version } = mount;
  if (version === undefined)
    throw new AppError(
      'unsupported',
      `${mount.path}/ is a secrets engine of the type ${mount.type}. These tools work with KV engines only; vault_list_mounts shows them.`,
    );
  const below = parts.slice(mount.path.split('/').length);
  const names = version === 2 && below[0] === 'data' ? below.slice(1) : below;
  const name = names.join('/');
  return { mount: { ...mount, version }, name, path: name === '' ? mount.path : `${mount.path}/${name}` };
}

/** The path of a secret for a request. `what` is data, metadata, delete, … of KV version 2. */
export function requestPath({ mount, name }: Place, what: string): string[] {
  const below = name === '' ? [] : name.split('/');
  return [...mount.path.split('/'), ...(mount.version === 2 ? [what] : []), ...below];
}

const metadata = z.object({
  version: z.int(),
  created_time: z.string().optional(),
  deletion_time: z.string().optional(),
  destroyed: z.boolean().optional(),
  custom_metadata: z.record(z.string(), z.string()).nullish(),
});

const values = z.record(z.string(), z.unknown());
const versionOne = z.object({ data: values });
const versionTwo = z.object({ data: z.object({ data: values, metadata }) });
const gone = z.object({ data: z.object({ metadata }) });

/** The current secret, or an older version of it. */
export async function readSecret(
  vault: Asks,
  place: Place,
  { version, signal }: { readonly version?: number | undefined; readonly signal: AbortSignal },
): Promise<Secret> {
  if (place.name === '')
    throw new AppError(
      'invalid_input',
      `${place.path} is a secrets engine, not a secret. vault_list_secrets shows its secrets.`,
    );
  if (place.mount.version === 1) {
    if (version !== undefined) throw noVersions(place);
    const { data } = await orMissing(place, vault.ask(versionOne, requestPath(place, 'data'), { signal }));
    return { data };
  }
  const asked = { query: { version }, signal };
  const { data } = await orMissing(place, vault.ask(versionTwo, requestPath(place, 'data'), asked));
  const { version: number, created_time: created, custom_metadata: customMetadata } = data.metadata;
  return {
    data: data.data,
    version: number,
    ...(created !== undefined && { created }),
    ...(customMetadata && { customMetadata }),
  };
}

export const noVersions = ({ mount }: Place): AppError =>
  new AppError('unsupported', `${mount.path}/ is a KV engine of version 1, which keeps no versions and no metadata.`);

/** Explains that there is no such secret, or that this version of it was deleted. */
async function orMissing<T>({ path }: Place, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (codeOf(error) !== 'not_found') throw error;
    throw new AppError('not_found', missing(path, error), { cause: error });
  }
}

function missing(path: string, error: unknown): string {
  const deleted = deletedIn(error);
  if (!deleted) return `There is no secret ${path}, or no such version of it. vault_list_secrets shows the names.`;
  const { version, destroyed, deletion_time: when } = deleted;
  if (destroyed) return `Version ${version} of ${path} was destroyed for good. vault_list_versions shows what is left.`;
  return `Version ${version} of ${path} was deleted at ${when ?? 'some time'}. vault_undelete_secret brings it back.`;
}

/** Vault answers 404 to a deleted version, too, with its metadata. */
function deletedIn(error: unknown) {
  const { cause } = error as Error;
  if (!(cause instanceof HttpError)) return undefined;
  try {
    return gone.parse(JSON.parse(cause.body)).data.metadata;
  } catch {
    return undefined;
  }
}

export const codeOf = (error: unknown): ErrorCode | undefined => (error instanceof AppError ? error.code : undefined);
