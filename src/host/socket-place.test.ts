import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Service } from '../wire/service.ts';
import { attach, openAttachment } from './attach.ts';
import { socketPath } from './home.ts';
import { assertOwnSocket, makeSocketPlace } from './socket-place.ts';

const LONG = `/somewhere/${'deep/'.repeat(30)}home`;

let temporary: string;
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'sluice-sockets-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(temporary, { recursive: true, force: true });
});

describe('where the socket is', () => {
  test('in the data directory if it fits, else in a directory of the user', () => {
    expect(socketPath('/home/me/sluice', temporary)).toBe('/home/me/sluice/sluice.sock');
    const path = socketPath(LONG, temporary);
    expect(dirname(dirname(path))).toBe(temporary);
    expect(basename(dirname(path))).toBe(`sluice-${process.getuid?.()}`);
    expect(socketPath(`${LONG}2`, temporary)).not.toBe(path);
  });

  test('it is never too long for a socket', () => {
    expect(socketPath(LONG, `/tmp/${'x'.repeat(120)}`).length).toBeLessThanOrEqual(100);
  });
});

describe('a directory among temporary files', () => {
  const path = () => socketPath(LONG, temporary);
  const place = () => dirname(path());

  test('is created for us only, and reused', async () => {
    await makeSocketPlace(path());
    expect((await stat(place())).mode & 0o777).toBe(0o700);
    await makeSocketPlace(path());
    await assertOwnSocket(path());
  });

  test.each<[string, () => Promise<unknown>]>([
    ['others can write to', async () => (await mkdir(place()), chmod(place(), 0o777))],
    ['is a link', async () => (await mkdir(join(temporary, 'own'), { mode: 0o700 }), symlink('own', place()))],
    ['is a file', () => writeFile(place(), '')],
  ])('that %s is refused, by both sides', async (_, prepare) => {
    await prepare();
    await expect(makeSocketPlace(path())).rejects.toThrow(/belongs to another user.*SLUICE_HOME/s);
    await expect(assertOwnSocket(path())).rejects.toThrow(/belongs to another user/);
  });

  test('of another user is refused, by both sides', async () => {
    const ours = process.getuid?.() as number;
    const given = path();
    await mkdir(dirname(given), { mode: 0o700 });
    vi.spyOn(process, 'getuid').mockReturnValue(ours + 1);
    await expect(makeSocketPlace(given)).rejects.toThrow(/belongs to another user/);
    await expect(assertOwnSocket(given)).rejects.toThrow(/belongs to another user/);
  });

  test('is where a gateway and its commands meet', async () => {
    expect(await attach(path())).toBeUndefined();
    await using _open = await openAttachment(path(), {} as Service);
    const socket = await attach(path());
    expect(socket).toBeDefined();
    socket?.destroy();
    await chmod(place(), 0o755);
    await expect(attach(path())).rejects.toThrow(/belongs to another user/);
    await expect(openAttachment(path(), {} as Service)).rejects.toThrow(/belongs to another user/);
  });

  test('that does not exist yet is no problem', async () => {
    await expect(assertOwnSocket(path())).resolves.toBeUndefined();
  });
});

test("does not connect to another user's socket in the data directory", async () => {
  const path = join(temporary, 'sluice.sock');
  await writeFile(path, '');
  await expect(assertOwnSocket(path)).resolves.toBeUndefined();
  const { uid } = await stat(path);
  vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
  await expect(assertOwnSocket(path)).rejects.toThrow(/belongs to another user/);
});
