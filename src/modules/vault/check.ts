import { AppError } from '../../kernel/errors.ts';
import type { Vault } from './connection.ts';
import { readMounts } from './mounts.ts';
import { readHealth, stateOf, states } from './status.ts';

/** Such as `version 1.17.2, 2 KV engines`. */
export async function check(vault: Vault, signal: AbortSignal): Promise<string> {
  const told = await readHealth(vault, signal);
  const state = stateOf(told);
  if (state === 'sealed' || state === 'not_initialized' || state === 'dr_secondary')
    throw new AppError('unavailable', `Vault is ${state.replaceAll('_', ' ')}. ${states[state]}`);
  const engines = (await readMounts(vault, signal)).filter(({ version }) => version !== undefined);
  return `version ${told.version ?? 'unknown'}, ${engines.length} KV engine${engines.length === 1 ? '' : 's'}`;
}
