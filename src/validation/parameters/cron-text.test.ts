import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/validation/cpu-time.ts';
import { cronProblem } from './cron-text.ts';

describe('a cron expression', () => {
  it.each([
    '* * * * *',
    '0 9 * * 1-5',
    '*/15 0-6,20-23 * * *',
    '0 0 1 1 0',
    '0 0 * * 7',
    '30 */10 * * * *',
    '5/10 * * * *',
    '0 0 1 jan mon',
    '0 0 ? * *',
    ' 0  9 * * * ',
    '@daily',
    '0 0 30 1-3 *',
    '0 0 31 2 1',
  ])('%s is fine', (text) => expect(cronProblem(text)).toBeUndefined());

  it.each([
    ['60 * * * *', 'the minute is 60'],
    ['* 24 * * *', 'the hour is 24'],
    ['* * 0 * *', 'the day of the month is 0'],
    ['* * * 13 *', 'the month is 13'],
    ['* * * * 8', 'the weekday is 8'],
    ['61 0 0 * * *', 'the second is 61'],
    ['1-5-7 * * * *', 'is not valid'],
    ['1, * * * *', 'is not valid'],
    ['*/x * * * *', 'not a number'],
    ['*/5/5 * * * *', 'is not valid'],
    ['* * 15W * *', 'is not valid'],
    ['* * * * 1#2', 'is not valid'],
    ['0 0 30 feb *', 'never comes due'],
    ['0 0 31 4,6 *', 'never comes due'],
    ['*', 'it has 1 part '],
    ['@noon', 'there is no @noon'],
  ])('%s is not', (text, why) => expect(cronProblem(text)).toContain(why));

  it('is checked quickly, however long it is', () => {
    const { result, ms } = cpuTime(() => cronProblem(`${'1,'.repeat(200_000)}1 * * * *`));
    expect(result).toBeDefined();
    expect(ms).toBeLessThan(1000);
  });
});
