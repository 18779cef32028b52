import { describe, expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { leastBusy, untried, urlsFor } from './balance.ts';
import type { LaneState } from './lane.ts';

const down = new AppError('unavailable', 'down');
const states: Record<'running' | 'starting' | 'failed', LaneState> = {
  running: { state: 'running', since: 0, upstream: {} as Upstream },
  starting: { state: 'starting', since: 0, attempt: Promise.resolve() },
  failed: { state: 'failed', since: 0, error: down, retryAt: 0 },
};

function lane(url: string | undefined, state: keyof typeof states, calls = 0, trouble?: AppError) {
  return { url, state: states[state], calls, trouble: trouble ?? (state === 'failed' ? down : undefined) };
}

describe('leastBusy', () => {
  test('the fewest calls win, and equals take turns', () => {
    const [a, b, c] = [lane('a', 'running', 1), lane('b', 'running', 0), lane('c', 'running', 0)];
    const chosen = [0, 1, 2, 3].map((turn) => leastBusy([a, b, c], turn));
    expect(chosen).toEqual([b, c, b, c]);
  });

  test.each([
    ['one that works, however busy', [lane('a', 'failed'), lane('b', 'running', 9), lane('c', 'starting')], 'b'],
    ['a sound one rather than a degraded one', [lane('a', 'running', 0, down), lane('b', 'running', 5)], 'b'],
    ['a degraded one rather than one that starts', [lane('a', 'starting'), lane('b', 'running', 5, down)], 'b'],
    ['one that starts rather than a failed one', [lane('a', 'failed'), lane('b', 'starting', 3)], 'b'],
    ['a failed one, if there is no other', [lane('a', 'failed')], 'a'],
  ])('prefers %s', (_, lanes, url) => {
    expect(leastBusy(lanes, 0)?.url).toBe(url);
  });

  test('there may be none', () => {
    expect(leastBusy([], 7)).toBeUndefined();
  });
});

test('a URL is tried once, also if it has several lanes', () => {
  const lanes = ['a', 'b', 'a', 'b'].map((url) => lane(url, 'running'));
  expect(untried(lanes, lanes.slice(0, 1))).toEqual([lanes[1], lanes[3]]);
  expect(untried(lanes, lanes.slice(0, 2))).toEqual([]);
  const replicas = [lane(undefined, 'running'), lane(undefined, 'running')];
  expect(untried(replicas, replicas.slice(0, 1))).toEqual(replicas.slice(1));
});

describe('urlsFor', () => {
  const urls = ['a', 'b', 'c'];
  const all = urls.map((url) => lane(url, 'running'));

  test('the URL with the fewest callers comes first', () => {
    const owned = ['a', 'a', 'b'].map((url) => ({ url }));
    expect(urlsFor({ url: undefined }, urls, all, owned)).toEqual(['c', 'b', 'a']);
  });

  test('a URL that does not work comes last, the one that was lost before it', () => {
    const shared = [lane('a', 'running'), lane('b', 'failed'), lane('c', 'running')];
    expect(urlsFor({ url: 'a' }, urls, shared, [{ url: 'c' }])).toEqual(['c', 'a', 'b']);
  });
});
