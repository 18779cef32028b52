import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isAlive } from './process-lock.ts';

test('a running process is alive, an ended one is not', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(pid)).toBe(false);
});

test('a process of another user is alive', () => {
  // Without root this one belongs to somebody else.
  expect(isAlive(1)).toBe(true);
});
