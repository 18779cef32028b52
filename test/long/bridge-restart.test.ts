import { expect, test } from 'vitest';
import { callThroughRestart } from '../integration/bridge/restart-rounds.ts';
import { N8N_START_MS, n8nIsMissing } from '../n8n.ts';

test.skipIf(n8nIsMissing)(
  'two hundred calls of bridged workflows with n8n killed in between: each is answered or fails clearly',
  async () => {
    const { answered, failed, missing } = await callThroughRestart(200);
    expect(answered + failed.length).toBe(200);
    expect(answered).toBeGreaterThan(0);
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    expect(missing).toBe(0);
  },
  N8N_START_MS,
);
