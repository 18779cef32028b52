import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { scratch } from '../support/processes.ts';
import { serve, type ServeProcess } from '../support/serve-process.ts';

const read = async ({ pid }: ServeProcess, what: 'cmdline' | 'environ') =>
  (await readFile(`/proc/${pid}/${what}`, 'utf8')).split('\0');

describe.runIf(process.platform === 'linux')('a gateway starts so that V8 and glibc keep little memory', () => {
  test('by itself', async () => {
    await using files = await scratch();
    await using gateway = await serve(files.directory, {});
    expect(await read(gateway, 'cmdline')).toEqual(expect.arrayContaining(['--max-semi-space-size=8', 'serve']));
    expect(await read(gateway, 'environ')).toContain('MALLOC_ARENA_MAX=2');
    expect(gateway.output()).not.toContain('ExperimentalWarning');
  });

  test('but with what its owner sets', async () => {
    await using files = await scratch();
    const env = { NODE_OPTIONS: '--max-old-space-size=300', MALLOC_ARENA_MAX: '4' };
    await using gateway = await serve(files.directory, {}, { env });
    const environment = await read(gateway, 'environ');
    expect(environment).toEqual(
      expect.arrayContaining([
        'MALLOC_ARENA_MAX=4',
        'MALLOC_TRIM_THRESHOLD_=131072',
        'NODE_OPTIONS=--max-old-space-size=300',
      ]),
    );
    expect(environment).not.toContain('MALLOC_ARENA_MAX=2');
  });

  test('or as its owner has it', async () => {
    await using files = await scratch();
    await using gateway = await serve(files.directory, {}, { env: { NODE_OPTIONS: '--max-semi-space-size=32' } });
    expect(await read(gateway, 'cmdline')).not.toContain('--max-semi-space-size=8');
    expect((await read(gateway, 'environ')).join('\n')).not.toContain('MALLOC_');
  });
});
