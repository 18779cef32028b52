import { expect, test } from 'vitest';
import { filesToRepeat, type Run, verdictOf } from './verdict.ts';

function run(
  code: number,
  files: Record<string, readonly string[] | 'unloadable'>,
  outside: readonly (string | null)[] = [],
): Run {
  const testResults = Object.entries(files).map(([name, tests]) =>
    tests === 'unloadable'
      ? { name, status: 'failed', assertionResults: [] }
      : {
          name,
          status: tests.includes('failed') ? 'failed' : 'passed',
          assertionResults: tests.map((status) => ({ status })),
        },
  );
  return { code, report: { testResults }, outside };
}

test('a run that passes is what it is', () => {
  const first = run(0, { 'a.test.ts': ['passed', 'passed', 'pending'], 'b.test.ts': ['passed'] });
  expect(filesToRepeat(first)).toEqual([]);
  expect(verdictOf(first)).toEqual({ passed: 3, failed: 0, skipped: 1, flaky: [], broken: [] });
});

test('what fails once and passes alone is flaky, named, and does not fail the run', () => {
  const first = run(1, { 'a.test.ts': ['passed', 'failed'], 'b.test.ts': ['passed'] });
  expect(filesToRepeat(first)).toEqual(['a.test.ts']);
  const again = run(0, { 'a.test.ts': ['passed', 'passed'] });
  expect(verdictOf(first, again)).toEqual({ passed: 3, failed: 0, skipped: 0, flaky: ['a.test.ts'], broken: [] });
});

test('what fails twice fails the run', () => {
  const first = run(1, { 'a.test.ts': ['passed', 'failed'], 'b.test.ts': ['failed'] });
  const again = run(1, { 'a.test.ts': ['passed', 'failed'], 'b.test.ts': ['passed'] });
  expect(verdictOf(first, again)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    flaky: ['b.test.ts'],
    broken: ['a.test.ts'],
  });
});

test('a file that cannot be loaded counts as one failure', () => {
  const first = run(1, { 'a.test.ts': 'unloadable', 'b.test.ts': ['passed'] });
  const again = run(1, { 'a.test.ts': 'unloadable' });
  expect(verdictOf(first, again)).toMatchObject({ passed: 1, failed: 1, broken: ['a.test.ts'] });
});

test('an error outside of any test is a failure of its file, and repeated with it', () => {
  const first = run(1, { 'a.test.ts': ['passed'], 'b.test.ts': ['failed'] }, ['a.test.ts']);
  expect(filesToRepeat(first)).toEqual(['b.test.ts', 'a.test.ts']);
  const better = run(0, { 'a.test.ts': ['passed'], 'b.test.ts': ['passed'] });
  expect(verdictOf(first, better)).toMatchObject({ passed: 2, failed: 0, flaky: ['b.test.ts', 'a.test.ts'] });
  const same = run(1, { 'a.test.ts': ['passed'], 'b.test.ts': ['passed'] }, ['a.test.ts']);
  expect(verdictOf(first, same)).toMatchObject({ failed: 1, flaky: ['b.test.ts'], broken: ['a.test.ts'] });
});

test('an error of which nobody knows the file fails the run, in the first run or the second', () => {
  const clean = run(1, { 'a.test.ts': ['passed'] });
  expect(filesToRepeat(clean)).toEqual([]);
  expect(verdictOf(clean)).toMatchObject({ failed: 1, broken: [] });
  const first = run(1, { 'a.test.ts': ['failed'] });
  expect(verdictOf(first, run(1, { 'a.test.ts': ['passed'] }))).toMatchObject({ failed: 1, flaky: ['a.test.ts'] });
  const unknown = run(1, { 'a.test.ts': ['failed'] }, [null]);
  expect(verdictOf(unknown, run(0, { 'a.test.ts': ['passed'] }))).toMatchObject({ failed: 1 });
});

test('a file that is missing from the second run has failed', () => {
  const first = run(1, { 'a.test.ts': ['failed'] });
  expect(verdictOf(first, run(0, {}))).toMatchObject({ failed: 1, flaky: [], broken: ['a.test.ts'] });
});

test('where nearly everything fails nothing is repeated', () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.test.ts`, ['failed']]));
  const first = run(1, files);
  expect(filesToRepeat(first)).toEqual([]);
  expect(verdictOf(first)).toMatchObject({ failed: 40 });
});
