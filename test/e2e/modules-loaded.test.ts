import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

/** Records every source file of ours that is loaded. */
const noting = (file: string) => `
import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({
  load(url, context, next) {
    if (url.includes('/src/') && !url.includes('/node_modules/')) appendFileSync(${JSON.stringify(file)}, url + '\\n');
    return next(url, context);
  },
});
`;

async function loaded(args: string[], until: RegExp | undefined): Promise<Set<string>> {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-modules-'));
  const [list, hook] = [join(place.path, 'list'), join(place.path, 'hook.mjs')];
  await writeFile(list, '');
  await writeFile(hook, noting(list));
  await writeFile(join(place.path, 'sluice.json'), '{}');
  const child = spawn(process.execPath, ['--import', pathToFileURL(hook).href, bin, ...args], {
    cwd: place.path,
    env: { PATH: process.env.PATH, HOME: place.path, SLUICE_HOME: place.path, SLUICE_CACHE: place.path },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (until?.test(told)) child.kill('SIGINT');
  });
  await ended;
  return new Set((await readFile(list, 'utf8')).trim().split('\n'));
}

// Every module costs time and memory at each start. Import what only some users need on demand.
test.each([
  ['serve on an empty file', ['serve', '--port', '0'], /^Ready/m, 426],
  ['--help', ['--help'], undefined, 143],
  ['keys list', ['keys', 'list'], undefined, 181],
])('%s loads no more modules than it needs', async (_, args, until, most) => {
  expect((await loaded(args, until)).size).toBeLessThanOrEqual(most);
});
