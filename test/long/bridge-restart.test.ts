import { expect, test } from 'vitest';
import { callThroughRestart } from '../integration/bridge/restart-rounds.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';

const CALLS = 1000;

test.skipIf(n8nIsMissing)(
  'a thousand calls of bridged tools and workflows with n8n killed in between: each is answered or fails clearly',
  async () => {
    const { answered, failed, missing } = await callThroughRestart(CALLS);
    const total = [...answered.values()].reduce((sum, count) => sum + count, 0);
    expect(total + failed.length).toBe(CALLS);
    expect(answered.size).toBe(3);
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    expect(missing).toBe(0);
  },
  N8N_START_MS,
);
