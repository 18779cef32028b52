import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, n8nModules, testCatalogue } from '../../support/catalogue.ts';
import { flow, node } from '../../validation/case.ts';

/** The schedule code of the installed n8n. Before version 1.3 of the node it checks nothing. */
interface Schedule {
  toCronExpression(interval: object, seed: string): string;
  intervalToRecurrence(interval: object, index: number): object;
  recurrenceCheck(recurrence: object, kept: unknown[], timezone: string): boolean;
}

interface Cron {
  readonly CronTime: new (
    expression: string,
    timezone: string,
  ) => { getNextDateFrom(from: Date, timezone: string): { toJSDate(): Date } };
}

const HOUR = 3_600_000;
const MOST = 4;

describe.skipIf(catalogueIsMissing)('an interval of a schedule before version 1.3', () => {
  const load = createRequire(import.meta.url);
  const schedule = load(join(n8nModules, 'n8n-nodes-base/dist/nodes/Schedule/GenericFunctions.js')) as Schedule;
  const { CronTime } = load(join(n8nModules, 'cron')) as Cron;

  afterEach(() => void vi.useRealTimers());

  /** When n8n runs it, in hours after the first run. */
  function times(interval: object, days: number): number[] {
    const begin = Date.UTC(2026, 0, 1);
    vi.useFakeTimers({ toFake: ['Date'], now: begin });
    const cron = new CronTime(schedule.toCronExpression(interval, 'seed'), 'UTC');
    const recurrence = schedule.intervalToRecurrence(interval, 0);
    const kept: unknown[] = [];
    const found: number[] = [];
    for (let at = new Date(begin); found.length < MOST; ) {
      at = cron.getNextDateFrom(at, 'UTC').toJSDate();
      if (at.getTime() > begin + days * 24 * HOUR) break;
      vi.setSystemTime(at);
      if (schedule.recurrenceCheck(recurrence, kept, 'UTC')) found.push(at.getTime());
    }
    return found.map((at) => (at - (found[0] as number)) / HOUR);
  }

  const isError = (interval: object) =>
    validateWorkflow(
      flow([node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [interval] } })]),
      testCatalogue(),
      { only: ['parameters'] },
    ).counts.error > 0;

  it.each([
    { interval: { field: 'minutes', minutesInterval: 60 }, days: 1, hours: [0, 1, 2, 3] },
    { interval: { field: 'minutes', minutesInterval: 90 }, days: 1, hours: [0, 1.5, 3, 4.5] },
    { interval: { field: 'seconds', secondsInterval: 60 }, days: 1, hours: [0, 1 / 60, 2 / 60, 3 / 60] },
    { interval: { field: 'days', daysInterval: 40 }, days: 130, hours: [0, 960, 1920, 2880] },
  ])('works and is not an error: $interval', ({ interval, days, hours }) => {
    expect(times(interval, days)).toEqual(hours);
    expect(isError(interval)).toBe(false);
  });

  it.each([
    { interval: { field: 'hours', hoursInterval: 24 }, days: 10, hours: [0] },
    { interval: { field: 'hours', hoursInterval: 48 }, days: 10, hours: [0] },
    { interval: { field: 'seconds', secondsInterval: 90 }, days: 1, hours: [0, 1 / 60, 2 / 60, 3 / 60] },
  ])('does not work and is an error: $interval', ({ interval, days, hours }) => {
    expect(times(interval, days)).toEqual(hours);
    expect(isError(interval)).toBe(true);
  });
});
