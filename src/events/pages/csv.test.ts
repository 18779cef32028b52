import { describe, expect, it } from 'vitest';
import { csvHead, csvLine } from './csv.ts';
import type { Event } from './event.ts';

const event = (data: Event['data'], event_type = 'tool.call_failed'): Event => ({
  id: 7,
  timestamp: '2026-01-01T00:00:00.000Z',
  trace_id: 'abc',
  event_type,
  status: 'failure',
  data,
});

/** Reads one line of CSV as a spreadsheet does. */
function cellsOf(line: string): string[] {
  return [...line.replace(/\r\n$/, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );
}

describe('CSV', () => {
  it('has one line for an event, with what people sort by in columns of their own', () => {
    const line = csvLine(event({ tool: 'a__b', source: 'a', principal: 'local', ms: 1.5, reason: 'time, out' }));
    expect(csvHead.split(',')).toHaveLength(11);
    expect(cellsOf(line)).toEqual([
      '7',
      '2026-01-01T00:00:00.000Z',
      'tool.call_failed',
      'failure',
      'abc',
      'a',
      'a__b',
      'local',
      '1.5',
      'time, out',
      '{"tool":"a__b","source":"a","principal":"local","ms":1.5,"reason":"time, out"}',
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '\n@x'])(
    'keeps a spreadsheet from running %j',
    (text) => {
      expect(cellsOf(csvLine(event({ tool: text })))[6]).toBe(`'${text}`);
      expect(cellsOf(csvLine(event({}, text)))[2]).toBe(`'${text}`);
    },
  );

  it('keeps quotes, lines and any type of field inside their cell', () => {
    const tool = 'a"b",\n"=c';
    const cells = cellsOf(csvLine(event({ tool, source: 5, principal: null, ms: 'x', reason: ['r'] })));
    expect(cells).toHaveLength(11);
    expect(cells.slice(5, 10)).toEqual(['', tool, '', '', '']);
  });
});
