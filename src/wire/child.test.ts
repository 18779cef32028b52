import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startChild } from './child.ts';

const env = { PATH: process.env.PATH ?? '' };
const shell = (script: string) => startChild({ command: '/bin/sh', args: ['-c', script], env });

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the last output is read before the end is reported', async () => {
  const child = await shell('read -r _; echo the last answer');
  let heard = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  child.stdin.write('go\n');
  // Block until both have happened, so that only our code decides which is seen first.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(await child.exited).toBe('exited with code 0');
  expect(heard).toBe('the last answer\n');
});

test('the end is reported even if a process left behind keeps the output open', async () => {
  const child = await shell('sleep 60 & exit 3');
  child.stdout.resume();
  expect(await child.exited).toBe('exited with code 3');
  await child.stop();
});

test('keeps the last output to explain why it ended', async () => {
  const child = await shell('echo first >&2; echo it cannot go on >&2; kill -9 $$');
  child.stdout.resume();
  expect(await child.exited).toBe('was ended by SIGKILL');
  expect(child.lastWords()).toContain('it cannot go on');
});

test('also keeps the last output of several that end at once', async () => {
  const end = async () => {
    const child = await shell('echo it cannot go on >&2; exit 1');
    child.stdout.resume();
    return [await child.exited, child.lastWords()].join();
  };
  // Whether the end or the output comes first is luck. Most of those after the first are unlucky.
  for (let round = 0; round < 5; round++) {
    const told = await Promise.all(Array.from({ length: 8 }, end));
    expect(new Set(told)).toEqual(new Set(['exited with code 1,it cannot go on']));
  }
});

test('a group has until the end of the grace period, whichever process ends first', async () => {
  // The process we started ends at once; the other one cleans up first.
  const child = await shell(`sh -c 'trap "sleep 0.5; echo cleaned; exit" TERM; echo up; sleep 60 & wait' & read -r _`);
  const [up] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  expect(up).toBe('up\n');
  let heard = '';
  child.stdout.on('data', (text: string) => {
    heard += text;
  });
  await child.stop(5000);
  expect(heard).toBe('cleaned\n');
});

test('a process that ignores SIGTERM is killed after the grace period', async () => {
  const child = await shell(`trap '' TERM; echo up; while :; do sleep 0.1; done`);
  await once(child.stdout, 'data');
  const asked = performance.now();
  await child.stop(300);
  expect(performance.now() - asked).toBeGreaterThanOrEqual(299);
  expect(await child.exited).toBe('was ended by SIGKILL');
  expect(isAlive(child.pid)).toBe(false);
});

test('a command that does not exist is named, with what to do', async () => {
  await expect(startChild({ command: 'no-such-command', args: [], env })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/no-such-command.*Install it, or correct "command"/),
  });
});

test('a missing directory is not reported as a missing command', async () => {
  const started = startChild({ command: '/bin/sh', args: [], env, cwd: '/no/such/directory' });
  await expect(started).rejects.toThrow('The directory /no/such/directory does not exist. Correct "cwd"');
});
