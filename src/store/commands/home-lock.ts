import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { socketPath } from '../../host/home.ts';
import { tryLock } from '../../host/process-lock.ts';
import { AppError } from '../../kernel/errors.ts';

/** Keeps gateways and local n8ns from starting in this data directory. Refuses if one runs. */
export async function lockHome(home: string): Promise<Disposable> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  using stack = new DisposableStack();
  const wanted: [lock: string, who: string][] = [[`${socketPath(home)}.lock`, `A gateway runs with ${home}`]];
  for (const lock of await n8nLocks(home)) wanted.push([lock, `A local n8n of ${home} runs`]);
  for (const [lock, who] of wanted) {
    const held = await tryLock(lock);
    if (!held) throw new AppError('conflict', `${who}. Stop it, and try again.`);
    stack.use(held);
  }
  const owned = stack.move();
  return { [Symbol.dispose]: () => owned.dispose() };
}

async function n8nLocks(home: string): Promise<string[]> {
  const entries = await readdir(join(home, 'n8n'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(home, 'n8n', name, 'running.lock'))
    .filter((lock) => existsSync(lock));
}
