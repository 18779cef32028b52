import { few } from './few.ts';

export interface Review {
  readonly user?: { readonly login: string } | null | undefined;
  readonly state: string;
}

export interface ReviewSummary {
  readonly approved_by: string[];
  readonly changes_requested_by: string[];
  readonly commented_by: string[];
}

/** Bytes for the names of each kind. */
const ROOM = 250;

/**
 * What each reviewer thinks now. The last approval, request or dismissal of a reviewer counts; a comment after it does
 * not take it back. `reviews` are in the order of GitHub: the oldest first.
 */
export function reviewSummary(reviews: readonly Review[]): ReviewSummary {
  const opinions = new Map<string, string>();
  for (const { user, state } of reviews) {
    const who = user?.login ?? 'ghost';
    if (state === 'PENDING' || (state === 'COMMENTED' && opinions.has(who))) continue;
    opinions.set(who, state);
  }
  const all = [...opinions];
  const whose = (state: string) =>
    few(
      all.filter(([, opinion]) => opinion === state).map(([who]) => who),
      ROOM,
    );
  return {
    approved_by: whose('APPROVED'),
    changes_requested_by: whose('CHANGES_REQUESTED'),
    commented_by: whose('COMMENTED'),
  };
}
