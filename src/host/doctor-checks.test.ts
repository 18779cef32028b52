import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configChecks, exposedChecks, homeCheck, nodeCheck, notConnectedChecks, portCheck } from './doctor-checks.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-doctor-'));
});
afterEach(() => rm(directory, { recursive: true }));

test.each([
  ['v24.21.0', 'ok'],
  ['v25.0.0', 'ok'],
  ['v22.12.0', 'failed'],
  ['v9.0.0', 'failed'],
])('Node %s: %s', (version, result) => expect(nodeCheck(version)).toMatchObject({ check: 'node', result }));

describe('the configuration', () => {
  const healthy = { host: '127.0.0.1', port: 3500 };

  test('every problem is a separate check, with where it is and how to fix it', () => {
    const problems = [
      { where: 'line 3, server.port', message: 'must be a number', fix: 'Write 3500.' },
      { where: '', message: 'is not a map of keys', fix: 'Begin with a key.' },
    ];
    expect(configChecks({ file: '/x/sluice.yaml', problems })).toEqual([
      {
        check: 'configuration',
        result: 'failed',
        detail: '/x/sluice.yaml: line 3, server.port: must be a number',
        fix: 'Write 3500.',
      },
      {
        check: 'configuration',
        result: 'failed',
        detail: '/x/sluice.yaml: is not a map of keys',
        fix: 'Begin with a key.',
      },
    ]);
  });

  test('a file, or none', () => {
    expect(configChecks({ ...healthy, file: '/x/sluice.yaml' })).toMatchObject([
      { result: 'ok', detail: '/x/sluice.yaml' },
    ]);
    expect(configChecks(healthy)).toMatchObject([
      { result: 'ok', detail: expect.stringContaining('no file') as string },
    ]);
  });
});

describe('the data directory', () => {
  test('is created if missing, for its owner only', async () => {
    const home = join(directory, 'deep', 'home');
    expect(await homeCheck(home)).toMatchObject({ result: 'ok', detail: home });
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  test('gets a warning if others can read it', async () => {
    await chmod(directory, 0o755);
    expect(await homeCheck(directory)).toMatchObject({ result: 'warning', fix: `chmod 700 ${directory}` });
  });

  test('cannot be a file', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    expect(await homeCheck(file)).toMatchObject({
      result: 'failed',
      fix: expect.stringContaining('SLUICE_HOME') as string,
    });
  });
});

test('files that others can read get a warning, and the data directory is reported once', () => {
  const exposed = [
    { path: '/home/me/sluice', problem: 'is open', fix: 'chmod 700 /home/me/sluice' },
    { path: '/home/me/.env', problem: 'can be read by others', fix: 'chmod 600 /home/me/.env' },
  ];
  expect(exposedChecks(exposed, '/home/me/sluice')).toEqual([
    {
      check: 'secrets',
      result: 'warning',
      detail: '/home/me/.env can be read by others',
      fix: 'chmod 600 /home/me/.env',
    },
  ]);
});

test('a port is free or in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await portCheck('127.0.0.1', port)).toMatchObject({
    result: 'failed',
    detail: `127.0.0.1:${port} is in use by another program`,
  });
  other.close();
  await once(other, 'close');
  expect(await portCheck('127.0.0.1', port)).toMatchObject({ result: 'ok' });
});

test('things that could be connected but are not get a warning', () => {
  const reason = 'The command chora-compose is not installed.';
  expect(notConnectedChecks([{ name: 'chora', reason }])).toEqual([
    { check: 'chora', result: 'warning', detail: `not connected: ${reason}` },
  ]);
});
