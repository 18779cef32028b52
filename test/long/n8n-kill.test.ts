import { expect, test } from 'vitest';
import { killDuringUpdates } from '../integration/n8n/kill-rounds.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';

const ROUNDS = 50;

test.skipIf(n8nIsMissing)(
  'n8n killed fifty times during updates: every workflow is its old or its new version each time',
  async () => {
    const told = await killDuringUpdates(ROUNDS);
    expect(told.killedAfterMs).toHaveLength(ROUNDS);
    // Both outcomes must occur, or the kills missed the updates.
    expect(told.saved).toBeGreaterThan(0);
    expect(told.lost).toBeGreaterThan(0);
  },
  N8N_START_MS + ROUNDS * 60_000,
);
