import type { Redis } from './connection.ts';
import { infoMap } from './info.ts';
import { numberIn } from './replies.ts';

export async function checkRedis(redis: Redis, signal: AbortSignal): Promise<string> {
  const send = redis.during(signal);
  const [server, keys] = await Promise.all([infoMap(send, 'server'), send('DBSIZE')]);
  const valkey = server.get('valkey_version');
  const version = valkey === undefined ? `Redis ${server.get('redis_version') ?? ''}` : `Valkey ${valkey}`;
  return `${version.trim()}, ${numberIn(keys)} keys`;
}
