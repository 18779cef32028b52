import { expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { killDuringUpdates } from './kill-rounds.ts';

const ROUNDS = 5;

test.skipIf(n8nIsMissing)(
  'after n8n is killed during updates, every workflow is the old or the new version, as the call said',
  async () => {
    const { saved, lost } = await killDuringUpdates(ROUNDS);
    expect(saved + lost).toBeGreaterThanOrEqual(ROUNDS);
  },
  N8N_START_MS + ROUNDS * 60_000,
);
