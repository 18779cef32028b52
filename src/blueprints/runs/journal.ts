import { createSeal } from '../../kernel/seal.ts';
import type { Tables } from '../../store/store.ts';
import { decisionRows } from './decision-rows.ts';
import { partRows } from './part-rows.ts';
import { runRows } from './run-rows.ts';
import { soughtRows } from './sought-rows.ts';
import { unitRows } from './unit-rows.ts';
import { usageRows } from './usage-rows.ts';

export type Journal = ReturnType<typeof createJournal>;

/** What runs are, what they did and what came of it. Values are sealed. */
export function createJournal(tables: Tables, secret: Buffer, now: () => number = Date.now) {
  const seal = createSeal(secret);
  const usage = usageRows(tables);
  return {
    ...usage,
    ...runRows(tables, seal, now, usage),
    ...partRows(tables, seal, now, usage),
    ...soughtRows(tables),
    ...unitRows(tables, seal, now, usage),
    ...decisionRows(tables, secret, now),
  };
}
