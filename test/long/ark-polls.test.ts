/** As many polls as ARK makes in three days, one right after the other. */
import { describe, expect, test } from 'vitest';
import { pollThroughRestarts } from '../support/ark/polls.ts';
import { postgresIsMissing } from '../support/postgres.ts';

describe.skipIf(postgresIsMissing)('ARK polls two replicas', () => {
  test('5,000 polls while everything restarts: no tool is deleted wrongly', async () => {
    const { wrong, missed, ...figures } = await pollThroughRestarts({ polls: 5000, restarts: 30 });
    console.log(JSON.stringify(figures));
    expect({ wrong: wrong.slice(0, 3), missed }).toEqual({ wrong: [], missed: [] });
  }, 600_000);
});
