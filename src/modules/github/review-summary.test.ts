import { expect, test } from 'vitest';
import { reviewSummary } from './review-summary.ts';

const review = (login: string | undefined, state: string) => ({ user: login === undefined ? null : { login }, state });

test('the last opinion of each reviewer counts', () => {
  expect(
    reviewSummary([
      review('ann', 'CHANGES_REQUESTED'),
      review('bob', 'APPROVED'),
      review('ann', 'APPROVED'),
      review('bob', 'COMMENTED'),
      review('cid', 'COMMENTED'),
      review('dee', 'CHANGES_REQUESTED'),
      review('eve', 'APPROVED'),
      review('eve', 'DISMISSED'),
      review(undefined, 'CHANGES_REQUESTED'),
      review('me', 'PENDING'),
    ]),
  ).toEqual({
    approved_by: ['ann', 'bob'],
    changes_requested_by: ['dee', 'ghost'],
    commented_by: ['cid'],
  });
});

test('no reviews', () => {
  expect(reviewSummary([])).toEqual({ approved_by: [], changes_requested_by: [], commented_by: [] });
});
