import { AppError, type ErrorCode, messageOf } from '../../kernel/errors.ts';
import { shortened } from '../shown.ts';

type Reading = readonly [said: RegExp, as: ErrorCode, message: (at: string, said: string) => string];

const readings: readonly Reading[] = [
  [
    /^(?:WRONGPASS|ERR invalid password|ERR invalid username-password)/,
    'unavailable',
    (at) => `${at} refuses the user or the password. Correct modules.redis.url: redis://user:password@host:6379.`,
  ],
  [
    /^(?:NOAUTH|ERR operation not permitted)/,
    'unavailable',
    (at) => `${at} needs a password. Put it into modules.redis.url: redis://:password@host:6379.`,
  ],
  [
    /^ERR (?:Client sent AUTH, but no password is set|AUTH <password> called without any password)/i,
    'unavailable',
    (at) => `${at} has no password, but modules.redis.url has one. Remove it there.`,
  ],
  [
    /^NOPERM/,
    'forbidden',
    (at, said) => `${at} does not allow this user to do that (${said}). Change its ACL, or use another user.`,
  ],
  [
    /^DENIED/,
    'unavailable',
    (at) =>
      `${at} is in protected mode and refuses other machines. Set a password on the server and in modules.redis.url.`,
  ],
  [
    /^ERR (?:DB index is out of range|invalid DB index|SELECT is not allowed)/i,
    'unavailable',
    (at) => `${at} does not have the database of modules.redis.url. Correct the number at its end.`,
  ],
  [
    /^ERR max number of clients/,
    'unavailable',
    (at) => `${at} has too many connections. Close some, or raise maxclients on the server.`,
  ],
  [/^LOADING/, 'unavailable', (at) => `${at} is starting and still loads its data. Try again in a moment.`],
  [/^BUSY /, 'unavailable', (at) => `${at} is busy with a script and answers nobody. Try again when it has ended.`],
  [
    /^MASTERDOWN/,
    'unavailable',
    (at) =>
      `${at} is a replica that has lost its primary and serves no stale data. Try again when the primary is back.`,
  ],
  [
    /^(?:CLUSTERDOWN|TRYAGAIN)/,
    'unavailable',
    (at, said) => `The cluster of ${at} cannot answer now (${said}). Try again in a moment.`,
  ],
  [
    /^(?:MOVED|ASK) /,
    'unsupported',
    (at, said) =>
      `${at} is one node of a cluster, and this key is on another node (${said.split(' ')[2] ?? 'unknown'}). Add that node as a module of its own with type: redis, or use a proxy for the cluster.`,
  ],
  [
    /^CROSSSLOT/,
    'invalid_input',
    (at) => `${at} is one node of a cluster, and these keys are not on the same node. Name one key in each call.`,
  ],
  [/^READONLY/, 'forbidden', (at) => `${at} is a replica and refuses changes. Set modules.redis.url to the primary.`],
  [
    /^OOM/,
    'conflict',
    (at) =>
      `${at} has reached its memory limit (maxmemory) and stores nothing more. Delete keys (redis_find_big_keys shows the biggest), or raise the limit on the server.`,
  ],
  [
    /^(?:MISCONF|NOREPLICAS)/,
    'conflict',
    (at, said) => `${at} refuses changes until its administrator has fixed it: ${said}`,
  ],
  [
    /^WRONGTYPE|^Existing key has wrong Redis type/,
    'conflict',
    () =>
      'The key holds a value of another type, and nothing was changed. redis_get_key_info shows its type; redis_get_key shows any type.',
  ],
  [
    /^ERR unknown command\W*JSON\./i,
    'unsupported',
    (at) =>
      `${at} has no JSON module, so there are no JSON documents. Store the text with redis_set_key, or use Redis Stack or Redis 8.`,
  ],
  [
    /^ERR unknown (?:sub)?command/i,
    'unsupported',
    (at, said) =>
      `${at} does not know this command, because its version is too old or the command is disabled: ${said}`,
  ],
  [
    /^NOGROUP/,
    'not_found',
    () => 'The stream has no consumer group of this name. redis_get_stream_info shows its groups.',
  ],
  [/^BUSYGROUP/, 'conflict', () => 'The stream already has a consumer group of this name.'],
  [/^ERR no such key/i, 'not_found', () => 'There is no such key. redis_scan_keys finds keys by pattern.'],
  [
    /^ERR (?:(?:hash )?value is not (?:an integer|a (?:valid )?float)|.*would (?:overflow|produce NaN))/i,
    'conflict',
    (_, said) => `The value cannot be counted: ${said.replace(/^ERR /, '')}. Nothing was changed.`,
  ],
  [
    /^Unknown RESP type|^Protocol error/i,
    'unavailable',
    (at) => `${at} does not speak the protocol of Redis. Correct the host and the port in modules.redis.url.`,
  ],
  [
    /^(?:The client is (?:closed|offline)|Disconnects client|Socket closed unexpectedly|read ECONNRESET)/,
    'unavailable',
    (at) =>
      `${at} closed the connection. Try again in a moment; if it happens again, check whether modules.redis.url should begin with rediss:// (TLS).`,
  ],
  [
    /^Connection timeout/,
    'unavailable',
    (at) => `${at} does not answer. Check that it runs, and the address in modules.redis.url.`,
  ],
  [/^The queue is full/, 'rate_limited', (at) => `Too many commands wait for ${at}. Try again in a moment.`],
  [/^[A-Z]{3,}\S* /, 'invalid_input', (at, said) => `${at} refused this: ${said}`],
];

/** What Redis or its driver said, for whoever can act on it. */
export function explainRedis(error: unknown, at: string): AppError | undefined {
  const said = messageOf(error);
  const { code: socketCode } = error as { code?: unknown };
  // Errors of sockets are the same for every service, but this one may have a reason of Redis's own.
  if (typeof socketCode === 'string' && socketCode !== 'ECONNRESET') return undefined;
  const [, code, message] = readings.find(([pattern]) => pattern.test(said)) ?? [];
  return code && message && new AppError(code, message(at, shortened(said, 300)), { cause: error });
}
