import { type Allowed, allowed } from '../allowed.ts';
import type { Around } from '../module.ts';
import { openVault, type VaultApi } from './api.ts';
import { mayHold } from './may-hold.ts';
import type { VaultSettings } from './settings.ts';

/** A Vault, and which of its secrets may be touched. */
export interface Vault extends VaultApi {
  /** Whole paths of secrets, without `data/`. */
  readonly paths: Allowed;
  /** Whether a folder or engine may hold secrets that are allowed. `folder` ends with a slash. */
  holdsAllowed(folder: string): boolean;
  /** Keeps a value out of all logs and events from now on. */
  revealed(value: string): void;
}

export function connectVault(
  settings: VaultSettings,
  { name, tls, revealed }: Pick<Around, 'name' | 'tls' | 'revealed'>,
): Vault {
  const { host } = new URL(settings.url);
  return {
    ...openVault(settings, { at: `${name} at ${host}`, tls, revealed }),
    paths: allowed(settings.paths, 'path', `modules.${name}.paths`),
    holdsAllowed: (folder) => settings.paths === undefined || settings.paths.some((glob) => mayHold(glob, folder)),
    revealed,
  };
}
