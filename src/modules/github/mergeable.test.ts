import { expect, test } from 'vitest';
import { type WholePull, wholePull } from './api/pulls.ts';
import { mergeState, needMergeable } from './mergeable.ts';

const pull = (given: object): WholePull =>
  wholePull.parse({
    number: 7,
    title: 'Add a cart',
    state: 'open',
    head: { ref: 'cart', sha: 'a' },
    base: { ref: 'main', sha: 'b' },
    created_at: '',
    updated_at: '',
    html_url: '',
    mergeable: true,
    mergeable_state: 'clean',
    ...given,
  });

test.each([
  [{}, /^can be merged$/],
  [{ mergeable_state: 'has_hooks' }, /^can be merged$/],
  [{ mergeable_state: 'unstable' }, /not required/],
  [{ mergeable_state: 'blocked' }, /^blocked/],
  [{ mergeable_state: 'behind' }, /github_update_pull_branch/],
  [{ mergeable_state: 'something new' }, /^can be merged$/],
  [{ mergeable: null, mergeable_state: 'unknown' }, /^unknown/],
])('%j may be merged', (given, words) => {
  expect(mergeState(pull(given))).toMatch(words);
  expect(() => needMergeable('acme/shop', pull(given))).not.toThrow();
});

test.each([
  [{ state: 'closed', merged_at: '2026-11-16T10:00:00Z' }, 'merged', 'is merged already'],
  [{ state: 'closed' }, 'closed', 'is closed'],
  [{ draft: true, mergeable_state: 'draft' }, 'draft', 'is a draft'],
  [{ mergeable: false, mergeable_state: 'dirty' }, 'conflicts', 'conflicts with main'],
])('%j cannot be merged', (given, words, error) => {
  expect(mergeState(pull(given))).toContain(words);
  expect(() => needMergeable('acme/shop', pull(given))).toThrow(error);
});
