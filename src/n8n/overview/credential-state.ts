import type { Workflow } from '../client/shapes.ts';
import type { KnownCredentials } from '../credentials/known-credentials.ts';
import { countUses, type UseCount } from '../credentials/usage.ts';
import type { Counted } from './counting.ts';

interface CredentialState {
  readonly total: number;
  readonly unused?: number;
  readonly missing?: readonly UseCount[];
}

/** Counts credentials that no workflow uses, and finds those that workflows use but do not exist. */
export function credentialState(known: KnownCredentials, scanned: Counted<Workflow> | undefined): CredentialState {
  const total = known.credentials.length;
  if (!scanned) return { total };
  const uses = countUses(known, scanned.items);
  // If not everything was read, a credential that seems unused may be used by an unread workflow.
  const isWhole = !scanned.cut && known.source !== 'workflows';
  return {
    total,
    ...(isWhole && { unused: uses.filter(({ workflows }) => workflows === 0).length }),
    missing: uses.filter((one) => one.missing),
  };
}
