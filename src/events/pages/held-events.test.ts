import { describe, expect, it } from 'vitest';
import type { Event } from './event.ts';
import { heldFrom, MOST_HELD, noEvents, withNew, withOlder, withWaiting } from './held-events.ts';
import { isCut, lightEvent } from './light-event.ts';

const event = (id: number, data: Event['data'] = {}): Event => ({
  id,
  timestamp: '2026-01-01T00:00:00.000Z',
  trace_id: 'a',
  event_type: 'tool.call_completed',
  status: 'success',
  data,
});
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => event(from + n));
const ids = (held: { rows: readonly Event[] }) => held.rows.map(({ id }) => id);

describe('the events of the list', () => {
  it('are the newest first, each once', () => {
    const held = withNew(heldFrom([event(5), event(3)]), [event(5), event(6), event(9), event(6)], false);
    expect(ids(held)).toEqual([9, 6, 5, 3]);
    expect(held).toMatchObject({ came: 2, leftOut: 0, newest: 9 });
    expect(withNew(held, [event(9)], false)).toBe(held);
  });

  it('wait while somebody reads further down', () => {
    const reading = withNew(heldFrom([event(1)]), events(2, 4), true);
    expect(ids(reading)).toEqual([1]);
    expect(reading.waiting).toHaveLength(3);
    expect(ids(withWaiting(reading))).toEqual([4, 3, 2, 1]);
  });

  it('never become more than fit, and what is left out is counted', () => {
    let held = noEvents;
    for (let from = 1; from < 25_000; from += 500) held = withNew(held, events(from, from + 499), false);
    expect(held.rows).toHaveLength(MOST_HELD);
    expect(held.came).toBe(held.leftOut + MOST_HELD);
    held = withNew(held, events(30_001, 45_000), true);
    expect(held.waiting).toHaveLength(MOST_HELD);
    expect(held.came).toBe(held.leftOut + 2 * MOST_HELD);
  });

  it('grow by older pages at the end', () => {
    const held = withOlder(heldFrom([event(9), event(8)]), [event(8), event(7)]);
    expect(ids(held)).toEqual([9, 8, 7]);
  });
});

describe('a large event', () => {
  it('is shortened, a small one stays as it is', () => {
    const small = event(1, { tool: 'a', nested: { b: [1] } });
    expect(lightEvent(small)).toBe(small);
    const light = lightEvent(
      event(2, { tool: 'a', text: 'x'.repeat(1_000_000), list: Array(9999).fill('y'), tail: 'the end', n: 5 }),
    );
    expect(isCut(light)).toBe(true);
    expect(light.data).toMatchObject({ tool: 'a', tail: 'the end', n: 5 });
    expect(light.data.text).toBe(`${'x'.repeat(100)}…`);
    expect(JSON.stringify(light).length).toBeLessThan(1000);
  });

  it('with thousands of fields keeps the first', () => {
    const data = JSON.parse(
      `{"__proto__":"x",${Array.from({ length: 5000 }, (_, n) => `"f${n}":${n}`).join()}}`,
    ) as object;
    const light = lightEvent(event(3, data as Event['data']));
    expect(isCut(light)).toBe(true);
    expect(Object.keys(light.data)).toHaveLength(60);
    expect(Object.getPrototypeOf(light.data)).toBe(Object.prototype);
  });
});
