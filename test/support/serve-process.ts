import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServeProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly home: string;
  output(): string;
  /** From now on nobody reads what it prints: who started it hangs, or has died. */
  unread(because: 'hung' | 'died'): void;
  /** Settles when every server has tried to start. */
  ready(): Promise<void>;
  /** Writes its sluice.json, as its owner would; it notices by itself. */
  configure(config: object | string): Promise<void>;
  /** Signals it and waits for its end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const START_MS = 20_000;

/** The gateway as a user starts it: `node bin/sluice.js serve` with its own home in that directory. */
export async function serve(
  directory: string,
  config: object,
  options: { node?: string; bin?: string; env?: Record<string, string>; port?: number } = {},
): Promise<ServeProcess> {
  const home = join(directory, 'home');
  const file = join(home, 'sluice.json');
  // Write it in one go: on a busy machine, a file that is empty for a moment would count as a change.
  const configure = async (next: object | string) =>
    writeFileSync(file, typeof next === 'string' ? next : JSON.stringify(next, null, 2));
  await mkdir(home, { recursive: true });
  await configure(config);
  const { bin = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url)) } = options;
  const child = spawn(options.node ?? process.execPath, [bin, 'serve', '--port', String(options.port ?? 0)], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, SLUICE_HOME: home, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit');
  const closed = once(child, 'close');
  let isRead = true;
  const url = await announced(child, () => output);
  return {
    pid: child.pid as number,
    url,
    home,
    output: () => output,
    unread(because) {
      isRead = false;
      for (const stream of [child.stdout, child.stderr]) {
        if (because === 'hung') stream.pause();
        else stream.destroy();
      }
    },
    ready: () => printed(child, () => output, 'Ready:'),
    configure,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      // `closed` comes after all output was read. After SIGKILL the watchdog may hold the pipes longer: use `exited`.
      const [code] = (await (signal === 'SIGKILL' || !isRead ? exited : closed)) as [number | null];
      return code;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

async function announced(child: ChildProcess, output: () => string): Promise<string> {
  const line = /^ {2}MCP +(http:\S+)\/mcp$/m;
  await printed(child, output, line);
  return line.exec(output())?.[1] as string;
}

function printed(child: ChildProcess, output: () => string, wanted: string | RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (why?: string) => {
      clearTimeout(timer);
      child.off('exit', early);
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', look);
      if (why === undefined) return resolve();
      child.kill('SIGKILL');
      reject(new Error(`${why}:\n${output()}`));
    };
    const timer = setTimeout(() => settle(`It did not print ${wanted} within ${START_MS} ms`), START_MS);
    const early = (code: number | null) => settle(`It ended with code ${code} before it printed ${wanted}`);
    const look = () => void (output().search(wanted) >= 0 && settle());
    child.once('exit', early);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
    look();
  });
}
