import { expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { killDuringUpdates } from './kill-rounds.ts';

const ROUNDS = 5;

test.skipIf(n8nIsMissing)(
  'n8n killed during updates: every workflow is its old or its new version, and the call has told which',
  async () => {
    const { saved, lost } = await killDuringUpdates(ROUNDS);
    expect(saved + lost).toBeGreaterThanOrEqual(ROUNDS);
  },
  N8N_START_MS + ROUNDS * 60_000,
);
