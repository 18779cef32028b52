import { messageOf } from '../../../kernel/errors.ts';
import type { StoreTrouble } from '../../store.ts';

const MOST_SKEW_MS = 30_000;

export interface Condition {
  /** Why the store cannot be reached. */
  readonly cutOff: unknown;
  readonly skewMs: number;
  /** The versions of the schema at the start, and now. */
  readonly parts: { readonly atStart: ReadonlyMap<string, number>; readonly now: ReadonlyMap<string, number> };
  readonly limits: readonly string[];
}

/** What is wrong with what replicas share, the worst first. */
export function troublesOf({ cutOff, skewMs, parts, limits }: Condition): StoreTrouble[] {
  const found: StoreTrouble[] = [];
  if (cutOff !== undefined)
    found.push({
      state: 'failing',
      message: messageOf(cutOff),
    });
  const newer = [...parts.now].filter(([part, version]) => version > (parts.atStart.get(part) ?? 0));
  if (newer.length > 0)
    found.push({
      state: 'degraded',
      message:
        `A newer Sluice has migrated the database (${newer.map(([part, version]) => `${part} ${version}`).join(', ')}). ` +
        'This replica goes on. Upgrade it.',
    });
  if (Math.abs(skewMs) > MOST_SKEW_MS)
    found.push({
      state: 'degraded',
      message:
        `The clock of this machine is ${spell(Math.abs(skewMs))} ${skewMs < 0 ? 'behind' : 'ahead of'} the database's. ` +
        'Set it right, for example with NTP: times in events and expiry of keys are wrong by as much.',
    });
  for (const message of limits) found.push({ state: 'degraded', message });
  return found;
}

/** All of them as one. */
export function joined(troubles: readonly StoreTrouble[]): StoreTrouble | undefined {
  const [worst] = troubles;
  return worst && { state: worst.state, message: troubles.map(({ message }) => message).join(' ') };
}

function spell(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
