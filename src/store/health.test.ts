import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BufferedEventLog, createEventLog } from './event-log.ts';
import { storeFileTrouble } from './sqlite/file-trouble.ts';
import { storeHealth } from './health.ts';

let warned: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());

const fine = () => undefined;
const fact = { type: 'gateway.stopped', reason: 'x' } as const;

test('a full disk: shows since when, why, what waits and the next attempt, then the recovery', async () => {
  let isFull = true;
  await using log: BufferedEventLog = createEventLog(
    {
      async append() {
        if (isFull) throw new Error('database or disk is full');
      },
    },
    { flushMs: 1, maxBuffer: 2 },
  );
  const health = storeHealth(log, fine, 0);
  expect(health()).toMatchObject({ name: 'store', kind: 'store', state: 'ready' });
  for (let n = 0; n < 3; n++) log.record(fact);
  await log.flush().catch(() => {});
  expect(health()).toMatchObject({
    state: 'failing',
    since: expect.any(String) as string,
    detail: '2 events wait to be written, 1 events were lost',
    lastError: { message: 'database or disk is full' },
    retryAt: expect.any(String) as string,
  });
  isFull = false;
  await log.flush();
  expect(health()).toMatchObject({
    state: 'ready',
    detail: '1 events were lost',
    lastError: { message: 'database or disk is full' },
  });
});

test('a store that does not keep up is slow', () => {
  const now = Date.now();
  const backlog = (oldestAt: number) => ({ backlog: () => ({ waiting: 4000, oldestAt, dropped: 0 }) });
  expect(storeHealth(backlog(now - 1000), fine, 0)().state).toBe('ready');
  expect(storeHealth(backlog(now - 8000), fine, 0)()).toMatchObject({
    state: 'degraded',
    lastError: { message: 'The store is slow: 4000 events are waiting, the oldest for 8 s.' },
  });
});

test('a file that was deleted or replaced is named', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-store-'));
  const file = join(directory, 'sluice.db');
  await writeFile(file, 'first');
  const trouble = storeFileTrouble(file);
  expect(trouble()).toBeUndefined();
  await writeFile(join(directory, 'held'), '');
  await rm(file);
  expect(trouble()).toMatchObject({
    state: 'failing',
    message: expect.stringContaining(`${file} was deleted`) as string,
  });
  await rm(directory, { recursive: true });
});
