import { expect, test } from 'vitest';
import { eventsSettings } from './settings.ts';

const DAY = 86_400_000;

test('by default keeps a million events for at most thirty days, without arguments', () => {
  expect(eventsSettings.events.parse({})).toEqual({
    keep: 30 * DAY,
    max: 1_000_000,
    maxSize: 2048,
    calls: true,
    arguments: false,
  });
});

test.each<[string | number, number]>([
  [7, 7 * DAY],
  ['7', 7 * DAY],
  ['12h', DAY / 2],
  ['90d', 90 * DAY],
  ['2w', 14 * DAY],
])('keep: %j', (given, ms) => {
  expect(eventsSettings.events.parse({ keep: given }).keep).toBe(ms);
});

test.each<[object]>([
  [{ keep: 0 }],
  [{ keep: '5m' }],
  [{ keep: 'forever' }],
  [{ keep: 99_999 }],
  [{ max: 5 }],
  [{ maxSize: 1 }],
  [{ jsonl: '' }],
  [{ arguments: 'some' }],
])('%j is refused', (given) => {
  expect(eventsSettings.events.safeParse(given).success).toBe(false);
});
