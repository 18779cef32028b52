import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { send } from '../harness.ts';

const bin = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url));

/** The gateway as a process of its own, which can be ended and started again where it was. */
export interface Bin extends AsyncDisposable {
  readonly mcp: () => string;
  /** Its exit code, or the signal that ended it. */
  stop(signal: NodeJS.Signals): Promise<number | string>;
  restart(signal: NodeJS.Signals): Promise<void>;
}

export async function startBin(config: object): Promise<Bin> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-bin-'));
  const file = join(home, 'sluice.json');
  await writeFile(file, JSON.stringify(config));
  let url = '';
  let child: ChildProcess;

  async function start(port: string): Promise<void> {
    const env = { PATH: process.env.PATH, HOME: home, SLUICE_HOME: home };
    const args = [bin, 'serve', '--config', file, '--port', port];
    child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
    await expect
      .poll(
        async () => {
          url = /MCP\s+(http:\/\/127\.0\.0\.1:\d+)\/mcp/.exec(output)?.[1] ?? '';
          if (url === '') return output;
          return (await send(`${url}/ready`)).status;
        },
        { timeout: 15_000 },
      )
      .toBe(200);
  }

  async function stop(signal: NodeJS.Signals): Promise<number | string> {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    }
    return child.exitCode ?? String(child.signalCode);
  }

  await start('0');
  return {
    mcp: () => `${url}/mcp`,
    stop,
    async restart(signal) {
      const { port } = new URL(url);
      await stop(signal);
      await start(port);
    },
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
      await rm(home, { recursive: true, force: true });
    },
  };
}
