import { describe, expect, test } from 'vitest';
import type { RunView } from '../service/run-view.ts';
import { runLines, spanOf, waysOn } from './run-lines.ts';

const run = (more: Partial<RunView> = {}): RunView => ({
  run: 'hello-1',
  name: 'hello',
  state: 'succeeded',
  deployed_by: 'local',
  created_at: '2026-01-01T00:00:00.000Z',
  progress: { done: 2, total: 2 },
  inputs: {},
  steps: [
    { step: 'one', state: 'done', ms: 350 },
    { step: 'another', state: 'skipped', ms: 0 },
  ],
  ...more,
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1234, '1.2 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [7_440_000, '2 h 4 min'],
  [5 * 86_400_000 + 3 * 3_600_000, '5 d 3 h'],
])('%i milliseconds are %s', (ms, text) => expect(spanOf(ms)).toBe(text));

test('a run is a line, a table of its steps, and its outputs', () => {
  const ended = run({ ended_at: '2026-01-01T00:00:02.000Z', outputs: { url: 'http://a', list: [1] } });
  expect(runLines(ended)).toEqual([
    'hello-1: succeeded, 2 of 2 steps, 2 s',
    'step     state    took    note',
    'one      done     350 ms',
    'another  skipped  0 ms',
    'url: http://a',
    'list: [1]',
  ]);
});

test('what went wrong, was tried again, was done for items or was undone is with its step', () => {
  const lines = runLines(
    run({
      state: 'failed',
      error: 'It broke.\nBadly.',
      steps: [
        { step: 'a', state: 'done', undo: 'done', ms: 1, items: { done: 3 } },
        { step: 'b', state: 'done', undo: 'failed', ms: 1, note: 'n8n execution 7' },
        { step: 'c', state: 'failed', ms: 1, attempts: 3, error: 'No answer.\u001b[31m' },
      ],
      more_steps: 4,
    }),
  );
  expect(lines.slice(2)).toEqual([
    'a     undone       1 ms  3 done',
    'b     undo failed  1 ms  n8n execution 7',
    expect.stringMatching(/^c {5}failed {7}1 ms {2}3 attempts\. No answer\./),
    '… and 4 more steps',
    'Error: It broke.',
  ]);
  expect(lines.join('')).not.toContain('\u001b');
});

describe('what can be done', () => {
  const next = (of: string) => `blueprint_${of} {run: "hello-1"}`;
  test.each([
    [{ state: 'waiting', waits: { for: 'approval', step: 'go' } }, 'approve hello-1 go`'],
    [{ state: 'waiting', waits: { for: 'rights', step: 'go' } }, 'resume hello-1`'],
    [{ state: 'unknown' }, 'resume hello-1 --unknown done`'],
    [{ state: 'failed', next: next('resume') }, 'resume hello-1`'],
    [{ state: 'failed', next: next('undo') }, 'undo hello-1`'],
    [{ state: 'succeeded', next: next('undo') }, 'undo hello-1`'],
  ] as [Partial<RunView>, string][])('%j: %s', (more, command) => {
    expect(waysOn(run(more)).join()).toContain(`\`sluice blueprint ${command}`);
  });

  test('nothing, while it runs or if nothing can be undone', () => {
    expect([waysOn(run({ state: 'running' })), waysOn(run())]).toEqual([[], []]);
  });
});
