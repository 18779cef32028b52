import type { Seal } from '../../kernel/seal.ts';
import type { Tables } from '../../store/store.ts';
import { decisionRows } from './decision-rows.ts';
import { partRows } from './part-rows.ts';
import { runRows } from './run-rows.ts';
import { soughtRows } from './sought-rows.ts';
import { unitRows } from './unit-rows.ts';

export type Journal = ReturnType<typeof createJournal>;

/** What runs are, what they did and what came of it. Values are sealed. */
export const createJournal = (tables: Tables, seal: Seal, now: () => number = Date.now) => ({
  ...runRows(tables, seal, now),
  ...partRows(tables, seal, now),
  ...soughtRows(tables),
  ...unitRows(tables, seal, now),
  ...decisionRows(tables, now),
});
