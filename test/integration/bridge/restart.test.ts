import { expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../n8n.ts';
import { callThroughRestart } from './restart-rounds.ts';

test.skipIf(n8nIsMissing)(
  'n8n killed and restarted in the midst of calls: each is answered or fails clearly, and every tool stays listed',
  async () => {
    const { answered, failed, missing, lists } = await callThroughRestart(20);
    expect(answered + failed.length).toBe(20);
    // The kill fell into the calls.
    expect(answered).toBeGreaterThan(0);
    expect(failed.length).toBeGreaterThan(0);
    for (const { code, retryable, text } of failed) {
      expect(code, text).toBe('unavailable');
      expect(retryable).toBe(true);
      expect(text).toMatch(/Try again/);
    }
    expect(lists).toBeGreaterThan(3);
    expect(missing).toBe(0);
  },
  N8N_START_MS,
);
