import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTopics, type Teller } from './topics.ts';

describe('topics', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function topicsWith(given: Partial<Teller> = {}) {
    const raise = vi.fn<Teller['raise']>(async () => {});
    const hint = vi.fn<Teller['hint']>(async () => {});
    const warn = vi.fn<Teller['warn']>();
    return { raise, hint, warn, topics: createTopics({ raise, hint, warn, isAlone: () => false, ...given }) };
  }

  test('the first versions are no change, later ones are, also lower ones', () => {
    const { topics } = topicsWith();
    const heard = vi.fn<() => void>();
    topics.hear('keys', heard);
    topics.seen([['keys', 5]]);
    topics.seen([['keys', 5]]);
    expect(heard).not.toHaveBeenCalled();
    topics.seen([['keys', 6]]);
    topics.seen([['keys', 2]]);
    expect(heard).toHaveBeenCalledTimes(2);
    topics.seen([
      ['keys', 2],
      ['servers', 1],
    ]);
    expect(heard).toHaveBeenCalledTimes(2);
  });

  test('what could not be told is told after the next look', async () => {
    const { topics, raise } = topicsWith();
    raise.mockRejectedValueOnce(new Error('away'));
    topics.tell('servers');
    await vi.advanceTimersByTimeAsync(0);
    topics.seen([]);
    expect(raise).toHaveBeenCalledTimes(2);
    expect(raise).toHaveBeenLastCalledWith('servers');
    await vi.advanceTimersByTimeAsync(0);
    topics.seen([]);
    expect(raise).toHaveBeenCalledTimes(2);
  });

  test('hints are throttled, and the last one is not lost', async () => {
    const { topics, hint } = topicsWith();
    for (let n = 0; n < 100; n++) {
      topics.tell('events');
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(hint.mock.calls.length).toBeLessThanOrEqual(6);
    topics.tell('events');
    topics.tell('events');
    await vi.advanceTimersByTimeAsync(200);
    expect(hint.mock.calls.length).toBeLessThanOrEqual(8);
  });

  test('nobody is hinted at alone, and a listener that fails does not stop the others', () => {
    const { topics, hint, warn } = topicsWith({ isAlone: () => true });
    const heard = vi.fn<() => void>();
    topics.hear('events', () => {
      throw new Error('oops');
    });
    topics.hear('events', heard);
    topics.tell('events');
    expect(hint).not.toHaveBeenCalled();
    expect(heard).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledWith('A listener to events failed: oops');
  });
});
