import { expect, test } from 'vitest';
import { problemsOf, problemsOfDisk } from './health.ts';
import { containerDetails } from './shapes.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const details = (state: object, more: object = {}) =>
  containerDetails.parse({ Id: 'x', State: { Status: 'running', Running: true, ...state }, Config: {}, ...more });
const said = (state: object, more?: object) =>
  problemsOf('web', details(state, more), now).map(({ severity, problem }) => `${severity}: ${problem}`);

test('a running container has no problem', () => {
  expect(said({ Health: { Status: 'healthy' } })).toEqual([]);
  expect(said({ Status: 'exited', Running: false, ExitCode: 143 })).toEqual([]);
  expect(said({ Status: 'created', Running: false })).toEqual([]);
});

test('what is wrong is said', () => {
  expect(said({ Status: 'restarting', Restarting: true, ExitCode: 1 }, { RestartCount: 9 })).toEqual([
    'error: keeps restarting (exit code 1, 9 restarts)',
  ]);
  expect(said({ StartedAt: '2026-01-01T00:09:00Z' }, { RestartCount: 4 })[0]).toContain('has restarted 4 times');
  expect(said({ StartedAt: '2025-12-01T00:00:00Z' }, { RestartCount: 4 })).toEqual([]);
  expect(
    said({ Health: { Status: 'unhealthy', FailingStreak: 3, Log: [{ Output: 'curl http://u:hunter2@x failed' }] } })[0],
  ).toBe('error: is unhealthy: 3 checks failed, the last with: curl http://u:[redacted]@x failed');
  expect(said({ Status: 'exited', Running: false, OOMKilled: true, ExitCode: 137 })).toEqual([
    'error: was killed because it ran out of memory',
  ]);
  expect(said({ Status: 'paused', Paused: true })[0]).toContain('paused');
  expect(said({ Status: 'exited', Running: false, ExitCode: 1, FinishedAt: 'then' })).toEqual([
    'warning: ended with exit code 1 at then',
  ]);
  expect(
    said({ Status: 'exited', Running: false, ExitCode: 1 }, { HostConfig: { RestartPolicy: { Name: 'always' } } })[0],
  ).toMatch(/^error/);
});

test('much wasted space is said', () => {
  const gigabyte = 1024 ** 3;
  const disk = (reclaimable_bytes: number) => [
    { kind: 'images' as const, count: 1, bytes: 20 * gigabyte, reclaimable_bytes },
  ];
  expect(problemsOfDisk(disk(15 * gigabyte))).toMatchObject([{ problem: '15.0 GB of images are used by nothing' }]);
  expect(problemsOfDisk(disk(gigabyte))).toEqual([]);
});
