import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../kernel/events.ts';
import type { EventFilter, Store } from './store.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

function call(n: number, given: Partial<RecordedEvent> = {}): RecordedEvent {
  return {
    timestamp: at(n).toISOString(),
    trace_id: n.toString(16).padStart(32, '0'),
    event_type: 'tool.call_completed',
    status: 'success',
    data: { tool: 'srv__echo', source: 'srv', principal: 'local', ms: 1, n },
    ...given,
  };
}

const numbers = (events: readonly RecordedEvent[]) => events.map(({ data }) => data.n);

/** The contract of the longer scans over events, for every store. */
export function eventScansContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: following events`, () => {
    test('returns events after an id, oldest first, and where to continue', async () => {
      await using store = await open();
      expect(await store.events.follow({}, 0)).toEqual({ events: [], position: 0 });
      await store.events.append([call(1), call(2), call(3)]);
      const first = await store.events.follow({}, 0, 2);
      expect(numbers(first.events)).toEqual([1, 2]);
      const second = await store.events.follow({}, first.position, 2);
      expect(numbers(second.events)).toEqual([3]);
      expect(await store.events.follow({}, second.position)).toEqual({ events: [], position: second.position });
    });

    test('moves past events that do not match', async () => {
      await using store = await open();
      await store.events.append([call(1), call(2)]);
      const { events, position } = await store.events.follow({ type: 'other.*' }, 0);
      expect(events).toEqual([]);
      await store.events.append([call(3, { event_type: 'other.one' })]);
      expect((await store.events.follow({}, position)).events.map(({ event_type }) => event_type)).toEqual([
        'other.one',
      ]);
    });

    test.each([-1, 1.5, Number.NaN])('refuses to continue from %d', async (after) => {
      await using store = await open();
      await expect(store.events.follow({}, after)).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });

  describe(`${name}: the calls of one caller on some tools`, () => {
    const own = { principal: 'k', tools: ['a__*', 'b[1]__?'] };
    const made = [
      { tool: 'a__one', principal: 'k' },
      { tool: 'a__one', principal: 'other' },
      { tool: 'b__x', principal: 'k' },
      { tool: 'b[1]__x', principal: 'k' },
      { tool: 'b1__x', principal: 'k' },
      { tool: 'a__two', principal: 'k' },
      { principal: 'k' },
      { tool: 5, principal: 'k' },
    ].map((data, n) => call(n, { data: { ...data, n } }));
    const foreign = call(8, { event_type: 'gateway.tool_accepted', data: { tool: 'a__one', principal: 'k', n: 8 } });

    test('are all that is returned, by query and follow, with any other filter', async () => {
      await using store = await open();
      await store.events.append([...made, foreign]);
      const query = (more: EventFilter, limit = 10, cursor?: string) =>
        store.events.query({ ...more, own, order: 'asc', limit, ...(cursor !== undefined && { cursor }) });
      const first = await query({}, 2);
      expect(numbers(first.events)).toEqual([0, 3]);
      expect(numbers((await query({}, 2, first.cursor)).events)).toEqual([5]);
      expect(numbers((await store.events.follow({ own }, 0)).events)).toEqual([0, 3, 5]);
      expect(numbers((await query({ tool: 'a__one' })).events)).toEqual([0]);
      for (const more of [{ principal: 'other' }, { type: 'gateway.*' }, { audit: true }, { tool: 'b__x' }])
        expect((await query(more)).events).toEqual([]);
      await expect(store.events.query({ order: 'asc', cursor: first.cursor as string })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    test('are none without tools', async () => {
      await using store = await open();
      await store.events.append(made);
      expect((await store.events.query({ own: { principal: 'k', tools: [] } })).events).toEqual([]);
    });
  });

  describe(`${name}: usage`, () => {
    test('counts calls by tool, source and principal, with latencies and failure reasons', async () => {
      await using store = await open();
      const failed = { event_type: 'tool.call_failed', status: 'failure' as const };
      const data = { tool: 'a', source: 's', principal: 'p' };
      await store.events.append([
        call(1, { event_type: 'tool.call_received', status: 'pending', data }),
        call(2, { data: { ...data, ms: 10 } }),
        call(3, { ...failed, data: { ...data, ms: 20, reason: 'timeout' } }),
        call(4, { ...failed, data: { ...data, principal: 'q', ms: 30, reason: 'tool error' } }),
        call(5, { event_type: 'gateway.started', data: {} }),
        // From another program, with fields of the wrong type.
        call(6, { data: { tool: 5 } }),
      ]);
      const groups = await store.events.usage();
      expect(groups).toHaveLength(2);
      expect(groups[0]).toMatchObject({ ...data, calls: 2, failed: 1, reasons: { timeout: 1 } });
      expect(Object.values(groups[0]?.latencies ?? {})).toEqual([1, 1]);
      expect(groups[1]).toMatchObject({ principal: 'q', calls: 1, failed: 1, reasons: { 'tool error': 1 } });
    });

    test('counts one period: since inclusive, until exclusive', async () => {
      await using store = await open();
      await store.events.append(Array.from({ length: 10 }, (_, n) => call(n)));
      expect(await store.events.usage({ since: at(3), until: at(7) })).toMatchObject([{ calls: 4 }]);
      expect(await store.events.usage({ since: at(20) })).toEqual([]);
    });
  });

  describe(`${name}: pruning`, () => {
    test('deletes the oldest beyond a number', async () => {
      await using store = await open();
      await store.events.append(Array.from({ length: 1200 }, (_, n) => call(n)));
      expect(await store.events.prune(at(0), { max: 100 })).toBe(1100);
      expect(numbers((await store.events.query({ order: 'asc', limit: 1 })).events)).toEqual([1100]);
      expect(await store.events.prune(at(0), { max: 100 })).toBe(0);
    });

    test('calls never push out who changed what, nor the other way round', async () => {
      await using store = await open();
      const added = (n: number) => call(n, { event_type: 'gateway.server_added' });
      await store.events.append([added(0), added(1), added(2), call(3), call(4)]);
      await store.events.append(Array.from({ length: 1200 }, (_, n) => call(n + 5)));
      expect(await store.events.prune(at(0), { max: 2 })).toBe(1201);
      const left = async () => numbers((await store.events.query({ order: 'asc' })).events);
      expect(await left()).toEqual([1, 2, 1203, 1204]);
      await store.events.append([added(2000), added(2001)]);
      expect(await store.events.prune(at(0), { max: 2 })).toBe(2);
      expect(await left()).toEqual([1203, 1204, 2000, 2001]);
    });

    test('deletes the oldest beyond a size, however few they are', async () => {
      await using store = await open();
      const large = (n: number) => call(n, { data: { n, text: 'x'.repeat(100_000) } });
      await store.events.append([call(0, { event_type: 'gateway.server_added' }), ...[1, 2, 3, 4, 5].map(large)]);
      expect((await store.events.span())?.bytes).toBeGreaterThan(4096);
      expect(await store.events.prune(at(0), { maxBytes: 250_000 })).toBe(3);
      expect(numbers((await store.events.query({ order: 'asc' })).events)).toEqual([0, 4, 5]);
    });

    test('keeps events that a webhook waits for, however old or many', async () => {
      await using store = await open();
      await store.events.append(Array.from({ length: 20 }, (_, n) => call(n)));
      const { events } = await store.events.query({ order: 'asc' });
      const keepFrom = events[5]?.id as number;
      expect(await store.events.prune(at(9999), { max: 1, keepFrom })).toBe(5);
      expect(await store.events.count()).toBe(15);
    });

    test('the span has the first and the last id', async () => {
      await using store = await open();
      expect(await store.events.span()).toBeUndefined();
      await store.events.append([call(7), call(8), call(9)]);
      const { events } = await store.events.query({ order: 'asc' });
      const [first, last] = [events[0]?.id, events[2]?.id];
      expect(await store.events.span()).toMatchObject({ first, last, since: at(7) });
      await store.events.prune(at(8));
      expect(await store.events.span()).toMatchObject({ first: events[1]?.id, last, since: at(8) });
    });
  });

  describe(`${name}: many events`, () => {
    const COUNT = 20_000;
    const rare = (n: number) => n % 5000 === 4999;
    const trace = (n: number) => (n >> 1).toString(16).padStart(32, 'a');

    test('are found the same way the first time, later, and after some were deleted', async () => {
      await using store = await open();
      for (let from = 0; from < COUNT; from += 2000) {
        await store.events.append(
          Array.from({ length: 2000 }, (_, i) => {
            const n = from + i;
            if (rare(n)) return call(n, { event_type: 'gateway.server_added', data: { backend: 'rare', n } });
            const principal = n % 7000 === 10 ? 'key:rare' : 'local';
            // Times sometimes go back: events of other programs are recorded when they are read.
            const timestamp = at(n % 9000 === 8999 ? 5 : n).toISOString();
            return call(n, { timestamp, trace_id: trace(n), data: { tool: 't', source: 's', principal, ms: 1, n } });
          }),
        );
      }
      const wanted: [EventFilter, number[]][] = [
        [{ trace: trace(12_000) }, [12_000, 12_001]],
        [{ trace: 'none' }, []],
        [{ type: 'gateway.server_added' }, [4999, 9999, 14_999, 19_999]],
        [{ type: 'gateway.*', since: at(9000) }, [9999, 14_999, 19_999]],
        [{ audit: true, until: at(9999) }, [4999]],
        [{ source: 'rare' }, [4999, 9999, 14_999, 19_999]],
        [{ principal: 'key:rare' }, [10, 7010, 14_010]],
        [{ own: { principal: 'key:rare', tools: ['t*'] } }, [10, 7010, 14_010]],
        [{ until: at(6) }, [0, 1, 2, 3, 4, 5, 8999, 17_999]],
        [{ since: at(19_998) }, [19_998, 19_999]],
        [{ text: 'key:rare' }, [10, 7010, 14_010]],
      ];
      const check = async (kept: (n: number) => boolean) => {
        for (const [filter, expected] of wanted) {
          const forwards = await store.events.query({ ...filter, order: 'asc' });
          expect(numbers(forwards.events)).toEqual(expected.filter(kept));
          const backwards = await store.events.query(filter);
          expect(backwards.events).toEqual(forwards.events.toReversed());
          expect((await store.events.follow(filter, 0)).events).toEqual(forwards.events);
        }
      };
      for (let i = 0; i < 3; i++) await check(() => true);
      const gone = (n: number) => n < 6000 || n === 8999 || n === 17_999;
      await store.events.prune(at(6000));
      for (let i = 0; i < 2; i++) await check((n) => !gone(n));
      expect(await store.events.usage({ since: at(7000), until: at(8000) })).toMatchObject([
        { principal: 'local', calls: 999 },
        { principal: 'key:rare', calls: 1 },
      ]);
    });
  });
}
