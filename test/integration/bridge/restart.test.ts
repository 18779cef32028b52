import { expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callThroughRestart } from './restart-rounds.ts';

const CALLS = 200;

/** Resources that keep this process alive, apart from timers. */
const open = () => process.getActiveResourcesInfo().filter((kind) => /TCP|Process|Pipe/.test(kind));

test.skipIf(n8nIsMissing)(
  'of two hundred calls while n8n is killed and restarts, each is answered or fails clearly, and every tool stays listed',
  async () => {
    const before = open();
    const { answered, failed, missing, lists } = await callThroughRestart(CALLS);
    const total = [...answered.values()].reduce((sum, count) => sum + count, 0);
    expect(total + failed.length).toBe(CALLS);
    // The kill came during the calls.
    expect(answered.size).toBe(3);
    expect(new Set(failed.map(({ tool }) => tool)).size).toBe(3);
    for (const { code, retryable, text } of failed) {
      expect(code, text).toBe('unavailable');
      // A call that may have begun must not be repeated blindly.
      expect(text).toMatch(retryable ? /try again/i : /may act twice/);
    }
    expect(failed.some(({ retryable }) => !retryable)).toBe(true);
    expect(lists).toBeGreaterThan(3);
    expect(missing).toBe(0);
    // No connection and no process is left.
    await expect.poll(open).toEqual(before);
  },
  N8N_START_MS,
);
