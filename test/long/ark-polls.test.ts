/** As many polls as ARK makes in three days, one right after the other. */
import { describe, expect, test } from 'vitest';
import { pollThroughRestarts } from '../support/ark/polls.ts';
import { haproxyIsMissing } from '../support/haproxy.ts';
import { postgresIsMissing } from '../support/postgres.ts';

const missing = postgresIsMissing ?? haproxyIsMissing;

describe.skipIf(missing !== undefined)(`ARK polls two replicas${missing ? ` (${missing})` : ''}`, () => {
  test.each(['service', 'haproxy'] as const)(
    '5,000 polls through a %s while everything restarts: no tool is deleted wrongly',
    async (through) => {
      const { wrong, missed, ...figures } = await pollThroughRestarts({ polls: 5000, restarts: 30, through });
      console.log(JSON.stringify({ through, ...figures }));
      expect({ wrong: wrong.slice(0, 3), missed }).toEqual({ wrong: [], missed: [] });
    },
    600_000,
  );
});
