import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchOf, storableJson } from './event-batch.ts';

const event = (data: Record<string, unknown>) => ({
  timestamp: '2026-01-01T00:00:00.000Z',
  trace_id: 't',
  event_type: 'x',
  status: 'success' as const,
  data,
});

test('events become one JSON text with times as numbers', () => {
  expect(JSON.parse(batchOf([event({ n: 1 })]))).toEqual([
    { at: Date.UTC(2026, 0, 1), trace_id: 't', event_type: 'x', status: 'success', data: { n: 1 } },
  ]);
});

test('what is no event is refused', () => {
  expect(() => batchOf([{ ...event({}), timestamp: 'now' }])).toThrow(/not an ISO time/);
  expect(() => batchOf([event({ n: 1n })])).toThrow(/is not JSON/);
});

test('NUL and lone surrogates are replaced; everything else stays', () => {
  const units = fc.array(
    fc.oneof(
      fc.constantFrom('\0', '\\', 'u0000', '\uD800', '\uDC00', '\uD834\uDD1E', '"', '\u0001', 'ud800'),
      fc.string(),
    ),
  );
  fc.assert(
    fc.property(units, (parts) => {
      const text = parts.join('');
      expect(JSON.parse(storableJson(JSON.stringify({ text })))).toEqual({
        text: text.replaceAll('\0', '\uFFFD').toWellFormed(),
      });
    }),
  );
});
