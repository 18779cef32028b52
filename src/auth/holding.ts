import type { Shared } from '../kernel/shared.ts';
import type { Verdict } from './authenticator.ts';

/** How long known credentials hold while the store cannot be reached. Meanwhile they may be revoked on another replica. */
const HOLD_MS = 60_000;

/** Whether the store is out of reach for so long that no credential holds any more. */
export function isCutOff({ cutOffSince }: Pick<Shared, 'cutOffSince'>): boolean {
  const since = cutOffSince();
  return since !== undefined && performance.now() - since > HOLD_MS;
}

/** The verdict on a credential that only the store could judge. */
export const cannotJudge: Extract<Verdict, { unavailable: string }> = {
  unavailable: 'Sluice cannot reach its store, so it cannot tell whether this credential is valid.',
};
