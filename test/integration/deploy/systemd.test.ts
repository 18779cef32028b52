import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { withoutCatalogue } from '../../support/catalogue.ts';
import { bin, follow } from '../../support/command-line.ts';

const run = promisify(execFile);
const unit = fileURLToPath(new URL('../../../deploy/systemd/sluice.service', import.meta.url));

const systemdIsMissing =
  existsSync('/usr/bin/systemd-analyze') || process.env.CI === 'true' ? undefined : 'systemd-analyze is not installed';

/** The values of a key, in the order of the file. */
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

describe.skipIf(systemdIsMissing)('systemd', () => {
  test('takes every line of the unit', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
    expect(stdout + stderr).toBe('');
  });

  test('notices a wrong line', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-unit-'));
    const wrong = join(place.path, 'sluice.service');
    await writeFile(wrong, (await readFile(unit, 'utf8')).replace('NoNewPrivileges=', 'NoMorePrivileges='));
    const said = await run('systemd-analyze', ['verify', '--man=no', wrong]).then(
      ({ stderr }) => stderr,
      ({ stderr }: { stderr: string }) => stderr,
    );
    expect(said).toContain('NoMorePrivileges');
  });

  test('judges it as little exposed', async () => {
    // Of 10; 2 is "OK". A unit without any of this has 9.6.
    const { stdout } = await run('systemd-analyze', [
      'security',
      '--offline=true',
      '--threshold=15',
      '--no-pager',
      unit,
    ]);
    expect(stdout).toMatch(/Overall exposure level for sluice\.service: 1\.\d OK/);
  });
});

test('what the unit sets is enough to serve: the directories, the variables, the configuration', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-unit-'));
  const [state, cache, etc, programs] = ['state', 'cache', 'etc', 'bin'].map((name) => join(place.path, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [etc, programs, join(state, 'sluice'), join(cache, 'sluice')])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  await symlink(process.execPath, join(programs, 'node'));
  await writeFile(join(programs, 'sluice'), `#!/bin/sh\nexec node ${bin} "$@"\n`, { mode: 0o755 });
  await writeFile(join(etc, 'sluice.yaml'), JSON.stringify({ server: { port: 0 }, nodes: withoutCatalogue }));

  const text = await readFile(unit, 'utf8');
  const set = valuesOf(text, 'Environment')
    .flatMap((line) => line.split(' '))
    .map((pair) => pair.replace('%S', state).replace('%C', cache));
  const env = Object.fromEntries(set.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const [command = '', ...args] = valuesOf(text, 'ExecStart')[0]?.split(' ') ?? [];
  expect(valuesOf(text, 'WorkingDirectory')).toEqual(['/etc/sluice']);

  const child = spawn(command, args, { cwd: etc, env: { ...env, PATH: `${programs}:${env.PATH}` } });
  const started = follow(child);
  await started.printed('Ready:');
  expect(existsSync(join(state, 'sluice', 'sluice.db'))).toBe(true);
  child.kill('SIGTERM');
  const { code, stdout } = await started.finished;
  expect(code).toBe(0);
  expect(stdout).toContain(`Config   ${join(etc, 'sluice.yaml')}`);
});
