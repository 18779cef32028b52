import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { atMost } from './at-most.ts';

const forever = new AbortController().signal;

/** Work that ends when it is told to, and says when it began. */
function piece(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    work: () => {
      log.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(`${name} failed`)),
  };
}

test('runs so many at a time, and the others in the order in which they came', async () => {
  const { run } = atMost(2, 'dify at here', 'modules.dify.concurrency');
  const log: string[] = [];
  const pieces = ['a', 'b', 'c', 'd'].map((name) => piece(name, log));
  const results = pieces.map(({ work }) => run(work, forever));
  await turn();
  expect(log).toEqual(['a', 'b']);
  pieces[1]?.end();
  expect(await results[1]).toBe('b');
  await turn();
  expect(log).toEqual(['a', 'b', 'c']);
  for (const { end } of pieces) end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('work that fails makes room, too', async () => {
  const { run } = atMost(1, 'dify at here', 'modules.dify.concurrency');
  const log: string[] = [];
  const [first, second] = [piece('first', log), piece('second', log)];
  const failed = run(first.work, forever);
  const done = run(second.work, forever);
  first.fail();
  await expect(failed).rejects.toThrow('first failed');
  second.end();
  expect(await done).toBe('second');
  expect(await run(async () => 'third', forever)).toBe('third');
});

test('who no longer waits does not run, and takes nobody else’s place', async () => {
  const { run } = atMost(1, 'dify at here', 'modules.dify.concurrency');
  const log: string[] = [];
  const [first, second, third] = [piece('first', log), piece('second', log), piece('third', log)];
  const gone = new AbortController();
  const results = [run(first.work, forever), run(second.work, gone.signal), run(third.work, forever)];
  gone.abort(new AppError('cancelled', 'The caller left.'));
  await expect(results[1]).rejects.toThrow('The caller left.');
  first.end();
  third.end();
  expect(await results[2]).toBe('third');
  expect(log).toEqual(['first', 'third']);
  await expect(run(second.work, gone.signal)).rejects.toThrow('The caller left.');
  expect(log).toEqual(['first', 'third']);
});

test('who leaves when the place is already given passes it on', async () => {
  const { run } = atMost(1, 'dify at here', 'modules.dify.concurrency');
  const log: string[] = [];
  const [first, second] = [piece('first', log), piece('second', log)];
  const gone = new AbortController();
  const one = run(first.work, forever);
  const two = run(second.work, gone.signal);
  first.end();
  await one;
  gone.abort(new AppError('cancelled', 'The caller left.'));
  second.end();
  await Promise.allSettled([two]);
  expect(await run(async () => 'third', forever)).toBe('third');
});

test('only so many may wait', async () => {
  const { run } = atMost(1, 'dify at here', 'modules.dify.concurrency');
  const first = piece('first', []);
  const results = [run(first.work, forever), ...Array.from({ length: 100 }, () => run(async () => 'next', forever))];
  await expect(run(async () => 'last', forever)).rejects.toThrow(
    'dify at here is busy: 1 calls run and 100 wait. Try again later, or raise modules.dify.concurrency.',
  );
  first.end();
  expect(new Set(await Promise.all(results))).toEqual(new Set(['first', 'next']));
});
