/** Podman as a Docker API for one suite: with its own folders, images and socket. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { isMissing } from './daemon.ts';
import { configurePodman } from './podman-configuration.ts';

export const PODMAN = '/usr/bin/podman';
const BUSYBOX = '/bin/busybox';
const START_MS = 20_000;

/** For `describe.skipIf`. Containers need root, and a kernel that lets it mount. */
export const podmanIsMissing: string | undefined =
  isMissing(PODMAN) ??
  isMissing('/usr/sbin/runc') ??
  isMissing(BUSYBOX) ??
  (process.env.CI === 'true' ? undefined : unable());

function unable(): string | undefined {
  if (process.getuid?.() !== 0) return 'containers need root';
  return spawnSync('unshare', ['--mount', 'true']).status === 0 ? undefined : 'this machine does not allow containers';
}

export interface Podman extends AsyncDisposable {
  /** For modules.docker.url. */
  readonly url: string;
  readonly socket: string;
  readonly folder: string;
  /** The image that it has. It is busybox, with a shell. */
  readonly image: string;
  /** Asks the API directly. Throws what it refuses. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** Makes a container and starts it. */
  container(name: string, more?: object): Promise<string>;
  /** Kills the service, as if it crashed. Containers go on. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const programs = ['sh', 'sleep', 'echo', 'cat', 'ls', 'env', 'seq', 'dd', 'false', 'true', 'id', 'yes', 'touch', 'pwd'];

export async function startPodman(): Promise<Podman> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-podman-'));
  stack.defer(() => remove(folder));
  const at = (name: string) => join(folder, name);
  const socket = at('docker.sock');
  const env = await configurePodman(folder);

  let child: ChildProcess | undefined;
  let output = '';
  async function start(): Promise<void> {
    await rm(socket, { force: true });
    const started = spawn(PODMAN, ['system', 'service', '--time=0', `unix://${socket}`], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    started.stderr.setEncoding('utf8').on('data', (more: string) => {
      output = `${output}${more}`.slice(-4000);
    });
    for (const until = Date.now() + START_MS; !(await answers(socket)); await delay(20))
      if (Date.now() > until || started.exitCode !== null) throw new Error(`podman did not start:\n${output}`);
  }
  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  const api = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await ask(socket, method, `/v1.41${path}`, body)) as T;

  stack.defer(kill);
  await start();
  stack.defer(async () => {
    if (!(await answers(socket))) await start();
    const all = await api<{ Id: string }[]>('GET', '/containers/json?all=true');
    // One after the other: podman locks them.
    for (const { Id } of all) await api('DELETE', `/containers/${Id}?force=true&v=true`);
  });

  const image = 'localhost/busy:latest';
  await mkdir(at('root/bin'), { recursive: true });
  await mkdir(at('root/tmp'));
  await copyFile(BUSYBOX, at('root/bin/busybox'));
  for (const program of programs) await symlink('busybox', at(`root/bin/${program}`));
  const tar = execFileSync('tar', ['-C', at('root'), '-c', '.'], { maxBuffer: 64 * 1024 * 1024 });
  await api('POST', '/images/create?fromSrc=-&repo=localhost/busy', tar);

  const owned = stack.move();
  return {
    url: `unix://${socket}`,
    socket,
    folder,
    image,
    api,
    async container(name, more = {}) {
      const { HostConfig = {}, ...config } = more as { HostConfig?: object };
      const { Id } = await api<{ Id: string }>('POST', `/containers/create?name=${name}`, {
        Image: image,
        Cmd: ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 0.1; done'],
        ...config,
        HostConfig: { NetworkMode: 'none', ...HostConfig },
      });
      await api('POST', `/containers/${Id}/start`);
      return Id;
    },
    kill,
    start,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect(socket);
    line.once('connect', () => resolve(true)).once('error', () => resolve(false));
    line.once('connect', () => line.destroy());
  });
}

async function ask(socketPath: string, method: string, path: string, body: unknown): Promise<unknown> {
  const bytes = body instanceof Buffer ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const type = body instanceof Buffer ? 'application/x-tar' : 'application/json';
  const sent = request({ socketPath, method, path, agent: false, headers: { 'content-type': type } });
  sent.end(bytes);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const said = await text(response);
  const status = response.statusCode ?? 0;
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${said}`);
  return said.trim() === '' ? undefined : JSON.parse(said.split('\n')[0] as string);
}

/** Containers leave mounts in the folder, and commands in them a process each that waits for minutes. */
async function remove(folder: string): Promise<void> {
  for (const pid of await processesOf(folder)) process.kill(pid, 'SIGKILL');
  if (existsSync('/proc/self/mounts')) {
    const mounted = (await readFile('/proc/self/mounts', 'utf8'))
      .split('\n')
      .flatMap((line) => line.split(' ')[1] ?? [])
      .filter((point) => point.startsWith(`${folder}/`));
    for (const point of mounted.toReversed()) spawnSync('umount', ['--lazy', point]);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Those that have the folder on their command line. */
async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids
    .filter((_, index) => lines[index]?.startsWith('/usr/bin/conmon') && lines[index].includes(`${folder}/`))
    .map(Number);
}
