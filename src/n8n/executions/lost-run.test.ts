import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Execution } from '../client/shapes.ts';
import { afterLoss, isLostRun, lostRun } from './lost-run.ts';

const signal = new AbortController().signal;
const away = () => Promise.reject(new AppError('unavailable', 'n8n cannot be reached.'));
const execution = { id: '12', status: 'crashed' } as Execution;

function unreached(code: string, more: Record<string, unknown> = {}): AppError {
  const cause = Object.assign(new Error('it failed'), { code });
  return new AppError('unavailable', 'n8n cannot be reached', {
    cause: new TypeError('fetch failed', { cause }),
    ...more,
  });
}

test.each([
  ['the other side closed', unreached('UND_ERR_SOCKET'), true],
  ['a reset', unreached('ECONNRESET'), true],
  ['nobody there', unreached('ECONNREFUSED'), false],
  ['no such host', unreached('ENOTFOUND'), false],
  ['an n8n that says that it did nothing', unreached('x', { data: { notExecuted: true } }), false],
  ['a proxy that lost it', new AppError('unavailable', 'n8n answered 502'), true],
  ['a time-out', new AppError('timeout', 'n8n did not answer in time'), false],
])('a run may have started: %s', (_, error, lost) => {
  expect(isLostRun(error)).toBe(lost);
});

test('asks until n8n is back', async () => {
  const answers = [away, away, async () => execution];
  const found = await afterLoss({ until: Date.now() + 60_000, signal }, () => (answers.shift() ?? away)());
  expect(found).toEqual({ state: 'found', execution });
});

test('waits for n8n no longer than there is time', async () => {
  expect(await afterLoss({ until: Date.now() + 5050, signal }, away)).toEqual({ state: 'away' });
  expect(await afterLoss({ until: Date.now() - 1, signal }, away)).toEqual({ state: 'away' });
});

test('does not wait after a cancellation, and throws errors that waiting cannot fix', async () => {
  const gone = AbortSignal.abort();
  await expect(afterLoss({ until: Date.now() + 60_000, signal: gone }, away)).rejects.toThrow('cannot be reached');
  const forbidden = () => Promise.reject(new AppError('forbidden', 'The key may not.'));
  await expect(afterLoss({ until: Date.now() + 60_000, signal }, forbidden)).rejects.toThrow('The key may not.');
});

test('the error says what is known, and that repeating may act twice', () => {
  const what = { called: '"Orders"', workflow: 'w1' };
  const said = (after: Parameters<typeof lostRun>[2], known = {}) =>
    lostRun({ name: 'default' }, { ...what, ...known }, after, undefined);
  const found = said({ state: 'found', execution });
  expect(found.message).toContain('while "Orders" ran as execution "12" (crashed). The run had started');
  expect(found.data).toEqual({ n8n: 'default', begun: true, retryable: false, execution: '12' });
  expect(said({ state: 'away' }).message).toContain('n8n_list_executions { "workflow": "w1" } shows it');
  expect(said({ state: 'away' }, { execution: '7' }).message).toMatch(
    /execution "7", and is not back yet.*once n8n is back/,
  );
  for (const after of [{ state: 'away' }, { state: 'none' }] as const) {
    expect(said(after).message).toContain('may act twice');
    expect(said(after).data).toMatchObject({ begun: true, retryable: false });
  }
});
