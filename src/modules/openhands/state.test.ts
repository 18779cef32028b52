import { expect, test } from 'vitest';
import { isBusy, meaning, stateOf } from './state.ts';

test.each([
  ['RUNNING', 'running', 'working'],
  ['RUNNING', 'idle', 'ready'],
  ['RUNNING', 'finished', 'finished'],
  ['RUNNING', 'waiting_for_confirmation', 'needs-confirmation'],
  ['RUNNING', 'error', 'failed'],
  ['RUNNING', null, 'starting'],
  ['RUNNING', 'something new', 'unknown'],
  ['STARTING', null, 'starting'],
  ['PAUSED', 'running', 'paused'],
  ['MISSING', null, 'gone'],
  ['ERROR', null, 'failed'],
  [undefined, undefined, 'unknown'],
] as const)('a sandbox that is %s with an agent that is %s is %s', (sandbox_status, execution_status, state) => {
  expect(stateOf({ id: 'a', sandbox_status, execution_status })).toBe(state);
  expect(isBusy(state)).toBe(state === 'working' || state === 'starting');
  expect(meaning(state)).toMatch(/\.$/);
});
