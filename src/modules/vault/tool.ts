import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Vault } from './connection.ts';
import { noVersions, partsOf, type Place, placeOf } from './kv.ts';

export const vaultTool = toolsFor<Vault>({ category: 'vault' });

export const pathInput = z.string().trim().min(1).max(1000).describe('Whole path, e.g. secret/app/db');
export const versionInput = z.int().min(1).optional().describe('Default the current one');
export const versionsInput = z.array(z.int().min(1)).min(1).max(100);
export const cursorInput = z.string().max(500).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');

/**
 * The path, and what it may also mean: which `data` belongs to the API is known when the engine is. Vault is not even
 * asked about what is out of reach either way.
 */
function readingsOf(path: string): readonly [string, ...string[]] {
  const parts = partsOf(path);
  const others = parts.flatMap((part, index) => (part === 'data' ? [parts.toSpliced(index, 1).join('/')] : []));
  return [parts.join('/'), ...others];
}

/** The place of a secret that the section allows. */
export async function secretAt(vault: Vault, path: string, signal: AbortSignal): Promise<Place> {
  const [whole, ...others] = readingsOf(path);
  if (!others.some(vault.paths.has)) vault.paths.need(whole);
  const place = await placeOf(vault, path, signal);
  if (place.name === '')
    throw new AppError(
      'invalid_input',
      `${place.path} is a secrets engine, not a secret. vault_list_secrets shows its secrets.`,
    );
  vault.paths.need(place.path);
  return place;
}

/** The place of a folder or engine that may hold allowed secrets. */
export async function folderAt(vault: Vault, path: string, signal: AbortSignal): Promise<Place> {
  const [whole, ...others] = readingsOf(path);
  if (![whole, ...others].some((one) => vault.holdsAllowed(`${one}/`))) vault.paths.need(`${whole}/`);
  const folder = await placeOf(vault, path, signal);
  if (!vault.holdsAllowed(`${folder.path}/`)) vault.paths.need(`${folder.path}/`);
  return folder;
}

/** The same as secretAt, for what only KV version 2 can do. */
export async function versionedAt(vault: Vault, path: string, signal: AbortSignal): Promise<Place> {
  const place = await secretAt(vault, path, signal);
  if (place.mount.version === 1) throw noVersions(place);
  return place;
}
