/** A Redis of a suite's own, and a client to prepare it and to look behind the tools. */
import { createClient, RESP_TYPES } from '@redis/client';
import { type Daemon, startDaemon } from './daemon.ts';
import { freePort } from './free-port.ts';

export const REDIS = '/usr/bin/redis-server';

export interface OwnRedis extends Daemon {
  readonly port: number;
  readonly url: string;
}

/** `args` are options of redis-server, such as `--requirepass`. Given a port, it comes back where it was. */
export async function ownRedis(args: readonly string[] = [], given?: number): Promise<OwnRedis> {
  const port = given ?? (await freePort());
  const usual = ['--bind', '127.0.0.1', '--save', '', '--enable-debug-command', 'yes'];
  const daemon = await startDaemon({
    program: REDIS,
    port,
    args: () =>
      args.includes('--tls-port') ? [...usual, ...args, `${port}`] : [...usual, ...args, '--port', `${port}`],
  });
  return { ...daemon, port, url: `redis://127.0.0.1:${port}` };
}

export interface Behind extends AsyncDisposable {
  /** Sends a command, and returns texts as texts. */
  send(...command: readonly string[]): Promise<unknown>;
  /** The same with bytes for texts. */
  sendBytes(...command: readonly (string | Buffer)[]): Promise<unknown>;
}

export async function behind(url: string): Promise<Behind> {
  const client = createClient({ url, RESP: 2, disableOfflineQueue: true, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  return {
    send: async (...command) => await client.sendCommand([...command]),
    sendBytes: async (...command) =>
      await client.sendCommand([...command], { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }),
    async [Symbol.asyncDispose]() {
      if (client.isOpen) client.destroy();
    },
  };
}
