import { describe, expect, it } from 'vitest';
import type { Event } from './event.ts';
import { extent, flat, spansIn } from './waterfall.ts';

const START = Date.UTC(2026, 0);
let last = 0;

const event = (event_type: string, at: number, data: Event['data'] = {}): Event => ({
  id: ++last,
  timestamp: new Date(START + at).toISOString(),
  trace_id: 'a',
  event_type,
  status: event_type.endsWith('failed') ? 'failure' : 'success',
  data,
});
const received = (tool: string, at: number) =>
  event('tool.call_received', at, { tool, source: 's', principal: 'local' });
const done = (tool: string, at: number, ms: number, end = 'completed') =>
  event(`tool.call_${end}`, at, { tool, source: 's', principal: 'local', ms });
const shown = (events: readonly Event[]) =>
  flat(spansIn(events)).map(({ span, depth }) => [
    depth,
    span.event.data.tool ?? span.event.event_type,
    span.start === undefined ? undefined : span.start - START,
    span.end === undefined ? undefined : span.end - START,
    span.failed,
  ]);

describe('a trace', () => {
  it('shows calls with their times, and those within them below', () => {
    expect(
      shown([
        received('outer', 0),
        received('inner', 10),
        done('inner', 30, 20.5, 'failed'),
        event('gateway.backend_failed', 40),
        done('outer', 100, 99.25),
        received('next', 200),
      ]),
    ).toEqual([
      [0, 'outer', 0, 99.25, false],
      [1, 'inner', 10, 30.5, true],
      [1, 'gateway.backend_failed', 40, 40, true],
      [0, 'next', 200, undefined, false],
    ]);
  });

  it('tells two calls of one tool at the same time apart', () => {
    const ends = shown([received('t', 0), received('t', 50), done('t', 60, 10), done('t', 300, 300)]);
    expect(ends).toEqual([
      [0, 't', 0, 300, false],
      [1, 't', 50, 60, false],
    ]);
  });

  it('knows the beginning of a call from its end, and the steps of a run', () => {
    const step = { run: 'r', step: 'one' };
    expect(
      shown([
        done('t', 100, 40),
        event('blueprint.step_started', 200, step),
        event('blueprint.step_failed', 260, step),
      ]),
    ).toEqual([
      [0, 't', 60, 100, false],
      [0, 'blueprint.step_failed', 200, 260, true],
    ]);
  });

  it('survives events without times and of any shape', () => {
    const odd = { ...event('tool.call_completed', 0, { ms: 'x', tool: {}, watched: 'f' }), timestamp: 'never' };
    expect(shown([odd])).toEqual([[0, {}, undefined, undefined, false]]);
    expect(extent(spansIn([odd]))).toBeUndefined();
    expect(extent(spansIn([received('t', 5), odd]))).toEqual({ from: START + 5, to: START + 5 });
    expect(spansIn([])).toEqual([]);
  });

  it('stays flat enough when calls are within calls without end', () => {
    const deep = Array.from({ length: 3000 }, (_, n) => received(`t${n}`, n));
    expect(Math.max(...flat(spansIn(deep)).map(({ depth }) => depth))).toBe(12);
  });
});
