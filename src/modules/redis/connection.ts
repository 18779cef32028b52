import { AppError, messageOf } from '../../kernel/errors.ts';
import { isTooLong } from '../../kernel/message-limit.ts';
import type { Around } from '../module.ts';
import { type Names, namesInReach } from './names.ts';
import type { Reply } from './replies.ts';

export type Argument = string | number | Buffer;

/** Sends one command. Commands that are sent without waiting for each other take one round trip together. */
export type Send = (command: string, ...args: readonly Argument[]) => Promise<Reply>;

export interface Redis extends AsyncDisposable {
  /** Sends commands until the signal aborts. */
  during(signal: AbortSignal): Send;
  /** The keys in reach. Every key that a caller names goes through `need`. */
  readonly keys: Names;
  readonly channels: Names;
  /** How long a call that could go on for ever should work before it returns what it has. */
  readonly patienceMs: number;
  /** Whether the connection has ended. */
  readonly isLost: boolean;
}

export interface RedisSettings {
  readonly url: string;
  readonly keys?: readonly string[] | undefined;
  readonly channels?: readonly string[] | undefined;
}

export async function connectRedis(settings: RedisSettings, around: Around): Promise<Redis> {
  const { createClient, RESP_TYPES } = await import('@redis/client');
  const { name, signal, timeoutMs, own } = around;
  const client = createClient({
    // The older protocol has one shape for each answer, whichever server gives it.
    RESP: 2,
    ...optionsOf(settings.url, around),
    disableOfflineQueue: true,
    commandsQueueMaxLength: 10_000,
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.NUMBER]: String } },
  });
  // An answer that is not Redis's shows up as an error only. Destroying the client ends the commands that wait.
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  /** Whether a command has failed because its answer was too long. */
  let wasTooLong = false;
  client.on('error', (error) => {
    reject(error);
    if (client.isOpen) client.destroy();
  });
  const stop = () => {
    reject(signal.reason);
    if (client.isOpen) client.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([client.connect(), failed]);
    await Promise.race([client.sendCommand(['CLIENT', 'SETNAME', 'sluice']).catch(() => {}), failed]);
  } catch (error) {
    if (settings.url.startsWith('rediss:') && messageOf(error).startsWith('Connection timeout'))
      throw new AppError(
        'unavailable',
        `The server of modules.${name} does not answer the TLS handshake. If it has no TLS, write redis:// instead of rediss://.`,
        { cause: error },
      );
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }

  return {
    keys: namesInReach({ globs: settings.keys, what: 'key', setting: `modules.${name}.keys`, own: own.redisPrefix }),
    channels: namesInReach({
      globs: settings.channels,
      what: 'channel',
      setting: `modules.${name}.channels`,
      own: own.redisPrefix,
    }),
    patienceMs: timeoutMs * 0.6,
    get isLost() {
      return !client.isReady;
    },
    during:
      (limit) =>
      async (command, ...args) => {
        limit.throwIfAborted();
        const written = args.map((one) => (Buffer.isBuffer(one) ? one : String(one)));
        try {
          // Not raced with a promise that outlives it: that would keep every answer.
          return await client.sendCommand<Reply>([command, ...written], { abortSignal: limit });
        } catch (error) {
          if (!isTooLong(error)) throw error;
          // Redis answers in order, so it is the answer to the first command that fails. The others only lost their connection.
          if (wasTooLong) throw Object.assign(new Error('The connection ended.'), { code: 'ECONNRESET' });
          wasTooLong = true;
          throw error;
        }
      },
    async [Symbol.asyncDispose]() {
      if (client.isOpen) client.destroy();
    },
  };
}

/** Parsed here, because errors of the driver quote the URL with its password. */
function optionsOf(url: string, { tls, timeoutMs }: Around) {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const isSecure = protocol === 'rediss:';
  const place = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 6379 : Number(port),
    // Shorter than the host waits, so that its reason is heard.
    connectTimeout: Math.ceil(Math.min(10_000, timeoutMs) * 0.8),
    reconnectStrategy: false as const,
  };
  return {
    socket: isSecure ? { ...place, ...tls, tls: true as const } : place,
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { database: Number(pathname.slice(1)) }),
  };
}
