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

/** The place of a secret that the section allows. */
export async function secretAt(vault: Vault, path: string, signal: AbortSignal): Promise<Place> {
  const parts = partsOf(path);
  // Which `data` belongs to the API is known when the engine is. Do not even ask about what is out of reach either way.
  const readings = parts.flatMap((part, index) => (part === 'data' ? [parts.toSpliced(index, 1).join('/')] : []));
  if (!readings.some(vault.paths.has)) vault.paths.need(parts.join('/'));
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
