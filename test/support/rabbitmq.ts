/** Debian's RabbitMQ with its management API, for one suite: a node of its own with its own name server. */
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Daemon, startDaemon } from './daemon.ts';
import { freePort } from './free-port.ts';

export const RABBITMQ = '/usr/lib/rabbitmq/bin/rabbitmq-server';

const START_MS = 60_000;
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface Rabbit extends AsyncDisposable {
  readonly port: number;
  readonly managementPort: number;
  /** With the credentials of an administrator. */
  readonly url: string;
  readonly managementUrl: string;
  /** Asks the management API, past Sluice. */
  api(path: string, options?: { method?: string; body?: unknown }): Promise<unknown>;
  /** Kills it without warning. */
  kill(): Promise<void>;
  /** Starts it again with its data. */
  start(): Promise<void>;
}

export async function startRabbit(): Promise<Rabbit> {
  await using stack = new AsyncDisposableStack();
  const as = process.getuid?.() === 0 ? NOBODY : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-rabbitmq-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'home'));
  if (as) for (const path of [folder, join(folder, 'home')]) await chown(path, as.uid, as.gid);
  const [port, managementPort, nodePort, namesPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  // Otherwise Erlang starts a name server that outlives everything and is shared by all.
  stack.use(
    await startDaemon({
      program: '/usr/bin/epmd',
      port: namesPort,
      ...(as && { as }),
      args: () => ['-address', '127.0.0.1', '-port', String(namesPort)],
    }),
  );

  const environment = (files: string) => ({
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: join(folder, 'home'),
    ERL_EPMD_PORT: namesPort,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: 'sluice@localhost',
    RABBITMQ_DIST_PORT: nodePort,
    RABBITMQ_BASE: folder,
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(files, 'rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(files, 'plugins'),
    // The script becomes the node, so that a signal reaches it.
    RUNNING_UNDER_SYSTEMD: 'true',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none',
  });
  const headers = {
    authorization: `Basic ${Buffer.from('guest:guest').toString('base64')}`,
    'content-type': 'application/json',
  };

  async function api(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
    const response = await fetch(`http://127.0.0.1:${managementPort}/api/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  let daemon: Daemon | undefined;
  async function start(): Promise<void> {
    daemon = await startDaemon({
      program: '/usr/bin/env',
      port: managementPort,
      startMs: START_MS,
      ...(as && { as }),
      files: {
        'rabbitmq.conf': `listeners.tcp.1 = 127.0.0.1:${port}
management.tcp.ip = 127.0.0.1
management.tcp.port = ${managementPort}
collect_statistics_interval = 1000
`,
        plugins: '[rabbitmq_management].\n',
      },
      args: (files) => [
        '-i',
        ...Object.entries(environment(files)).map(([name, value]) => `${name}=${value}`),
        RABBITMQ,
      ],
    });
    // The port is open before the node serves.
    for (const until = Date.now() + START_MS; ; await delay(50)) {
      const isUp = await api('overview').then(
        (found) => (found as { node?: string }).node !== undefined,
        () => false,
      );
      if (isUp) return;
      if (Date.now() > until) throw new Error('RabbitMQ did not become ready.');
    }
  }

  stack.defer(async () => await daemon?.[Symbol.asyncDispose]());
  await start();
  const owned = stack.move();
  return {
    port,
    managementPort,
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    managementUrl: `http://guest:guest@127.0.0.1:${managementPort}`,
    api,
    start,
    async kill() {
      await daemon?.[Symbol.asyncDispose]();
      daemon = undefined;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
