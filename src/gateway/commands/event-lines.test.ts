import { expect, test } from 'vitest';
import { eventLines } from './event-lines.ts';

const now = Date.parse('2026-11-15T00:05:00Z');
const webhook = { name: 'w', host: 'n8n', state: 'delivering', waiting: 0, delivered: 5, dead: 0, skipped: 0 } as const;
const file = { file: 'e.jsonl', state: 'reading', events: 3, behind: 0, bad: 0, tooLong: 0 } as const;

test('what goes well takes few words', () => {
  expect(eventLines({ dropped: 0, webhooks: [webhook], watch: [file] }, now)).toEqual([
    'webhook w (n8n): 0 waiting, 5 delivered',
    'watching e.jsonl: 3 events',
  ]);
});

test('what is wrong stands first', () => {
  const problem = { reason: 'HTTP 500', since: '2026-11-15T00:00:00Z' };
  const failing = { ...webhook, state: 'failing', problem, waiting: 9, dead: 2, skipped: 1, full: true } as const;
  const bad = { ...file, state: 'failing', problem: 'it is not a file', bad: 4, tooLong: 1, behind: 10 } as const;
  expect(eventLines({ dropped: 0, webhooks: [failing], watch: [bad, { ...file, state: 'missing' }] }, now)).toEqual([
    'webhook w (n8n): FULL, new events are not sent; failing for 5m: HTTP 500; 2 set aside (`sluice webhooks dead`); 1 skipped; 9 waiting, 5 delivered',
    'watching e.jsonl: failing: it is not a file; 4 bad lines; 1 too long; 3 events, 10 bytes behind',
    'watching e.jsonl: not there yet; 3 events',
  ]);
});
