import { z } from 'zod';
import type { Vault } from './connection.ts';
import { codeOf } from './kv.ts';

const health = z.object({
  initialized: z.boolean(),
  sealed: z.boolean(),
  standby: z.boolean().optional(),
  performance_standby: z.boolean().optional(),
  replication_dr_mode: z.string().optional(),
  version: z.string().optional(),
  cluster_name: z.string().optional(),
});

const seal = z.object({
  type: z.string().optional(),
  t: z.int().optional(),
  n: z.int().optional(),
  progress: z.int().optional(),
});

type Health = z.output<typeof health>;

export const states = {
  ready: 'It works.',
  not_initialized: 'It has never been set up. Run `vault operator init`, then unseal it.',
  sealed: 'It gives out nothing before somebody unseals it with `vault operator unseal`.',
  standby: 'It is a standby: it passes requests on to the active node.',
  performance_standby: 'It is a performance standby: it answers reads, and passes writes on.',
  dr_secondary: 'It is a secondary for disaster recovery: it answers nothing before it is promoted.',
} as const;

export type State = keyof typeof states;

/** A node says how it is with the status, which a proxy may take for its failure. So every state is asked for as 200. */
const AS_200 = { standbyok: true, perfstandbyok: true, sealedcode: 200, uninitcode: 200, drsecondarycode: 200 };

export const readHealth = (vault: Vault, signal: AbortSignal): Promise<Health> =>
  vault.askOpenly(health, ['sys', 'health'], { query: AS_200, signal });

/** Empty if it does not say: services that run Vault for others keep this back. */
export async function readSeal(vault: Vault, signal: AbortSignal): Promise<z.output<typeof seal>> {
  try {
    return await vault.askOpenly(seal, ['sys', 'seal-status'], { signal });
  } catch (error) {
    if (codeOf(error) === 'forbidden' || codeOf(error) === 'not_found') return {};
    throw error;
  }
}

export function stateOf(told: Health): State {
  if (!told.initialized) return 'not_initialized';
  if (told.sealed) return 'sealed';
  if (told.replication_dr_mode === 'secondary') return 'dr_secondary';
  if (told.performance_standby) return 'performance_standby';
  return told.standby ? 'standby' : 'ready';
}
