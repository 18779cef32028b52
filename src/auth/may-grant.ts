import type { Principal } from '../kernel/principal.ts';
import { globMatcher } from '../kernel/glob.ts';
import { readRate } from '../kernel/rate.ts';
import type { KeyGrant } from '../store/store.ts';

const strictness: readonly (KeyGrant['confirm'] | undefined)[] = ['never', 'destructive', 'writes'];

/**
 * Why this caller must not make such a key; undefined if it may. It has the scope `admin`, which includes every other
 * scope. But a key that is limited otherwise must not make one with fewer limits: that would undo the limits.
 */
export function whyNotGrant(maker: Principal, makerExpiresAt: string | undefined, grant: KeyGrant): string | undefined {
  const { tools, confirm, rate } = maker;
  if (tools) {
    const outside = (grant.tools ?? ['*']).filter((glob) => !tools.some((own) => covers(own, glob)));
    if (outside.length > 0)
      return `Your key is limited to ${tools.join(', ')}. Limit the new key to some of these tools: "tools" allows ${outside.join(', ')}.`;
  }
  if (confirm !== undefined && strictness.indexOf(grant.confirm ?? 'destructive') < strictness.indexOf(confirm))
    return `Your key confirms ${confirm === 'writes' ? 'everything that writes' : 'what is destructive'}. Set "confirm" of the new key to ${confirm}.`;
  if (rate !== undefined && (grant.rate === undefined || perSecond(grant.rate) > perSecond(rate)))
    return `Your key is limited to ${rate}. Set "rate" of the new key to at most that.`;
  if (makerExpiresAt !== undefined && (grant.expiresAt === undefined || grant.expiresAt > makerExpiresAt))
    return `Your key expires at ${makerExpiresAt}. Set "expires" of the new key to that time or an earlier one.`;
  return undefined;
}

/** Whether every name that `inner` fits also fits `outer`. A `?` is one character, so it covers only itself. */
function covers(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  if (outer.includes('?') && /[*?]/.test(inner)) return false;
  return globMatcher([outer])(inner);
}

function perSecond(text: string): number {
  const rate = readRate(text);
  return rate ? (rate.count / rate.perMs) * 1000 : Number.POSITIVE_INFINITY;
}
