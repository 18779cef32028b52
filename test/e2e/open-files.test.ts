import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { serve } from '../support/serve-process.ts';

const bin = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
const LIMIT = 128;
const WAITING = { timeout: 20_000, interval: 100 };

interface Status {
  readonly state: string;
  readonly problems: readonly string[];
}

/** Node with few files, as `ulimit -n` before the command gives it. */
async function nodeWithFewFiles(folder: string): Promise<string> {
  const node = join(folder, 'node');
  await writeFile(node, `#!/bin/sh\nulimit -n ${LIMIT}\nexec '${process.execPath}' "$@"\n`);
  await chmod(node, 0o755);
  return node;
}

test.skipIf(process.platform !== 'linux')(
  'a gateway without file descriptors says so in status and doctor, and for a while after',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-test-'));
    await using gateway = await serve(folder.path, {}, { node: await nodeWithFewFiles(folder.path) });
    await gateway.ready();
    // A connection from before goes on.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const status = async () => {
      const asked = get(`${gateway.url}/api/v1/status`, { agent });
      const [response] = await once(asked, 'response');
      return (await json(response)) as Status;
    };
    const aboutFiles = async () => (await status()).problems.find((problem) => problem.startsWith('open files:'));
    const doctor = () =>
      new Promise<string>((resolve) => {
        const env = { PATH: process.env.PATH, HOME: gateway.home, SLUICE_HOME: gateway.home };
        execFile(process.execPath, [bin, 'doctor'], { env }, (_, stdout) => resolve(stdout));
      });
    const { port, hostname } = new URL(gateway.url);
    const sockets: Socket[] = [];
    try {
      expect(await aboutFiles()).toBeUndefined();
      expect(await doctor()).not.toContain('open files');
      for (let n = 0; n < LIMIT; n++) sockets.push(connect(Number(port), hostname).on('error', () => {}));
      await expect
        .poll(aboutFiles, WAITING)
        .toBe(
          `open files: Sluice has as many files and connections open as it may (${LIMIT}): it drops new connections, and cannot start servers.`,
        );
      expect(gateway.output()).toContain('ulimit -n 65536');
      expect(await doctor()).toMatch(
        /^FAIL +gateway: .*closes the connection without an answer: .*as many files[^]*ulimit -n 65536/m,
      );
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await expect
      .poll(aboutFiles, WAITING)
      .toContain(`Sluice had as many files and connections open as it may (${LIMIT})`);
    expect(await doctor()).toMatch(/^warn +open files: Sluice had as many files[^]*LimitNOFILE=65536/m);
    expect((await status()).state).toBe('degraded');
    agent.destroy();
  },
  120_000,
);
