import { expect, test } from 'vitest';
import { eventTroubles } from './event-troubles.ts';

test('nothing is said where all is well', () => {
  expect(eventTroubles(undefined)).toEqual([]);
  expect(eventTroubles({ dropped: 0, jsonl: { lost: 0 } })).toEqual([]);
});

test('what was lost is told apart from what cannot be written', () => {
  expect(eventTroubles({ dropped: 3, jsonl: { lost: 2, error: 'ENOSPC: no space left\non device' } })).toEqual([
    '3 events were lost, because the store could not be written.',
    'The files of events cannot be written: ENOSPC: no space left',
    '2 events are missing in the files, and only there.',
  ]);
});
