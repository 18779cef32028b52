import { AppError } from '../../kernel/errors.ts';
import type { Send } from './connection.ts';
import { nameOf } from './names.ts';
import { textIn } from './replies.ts';

export const noKey = (key: Buffer): AppError =>
  new AppError('not_found', `There is no key ${nameOf(key).slice(0, 200)}. redis_scan_keys finds keys by pattern.`);

/** The types of Redis, the length command of each, and the tool that shows all of it. */
const types = new Map<string, { readonly length: string; readonly tool: string; readonly is: string }>([
  ['string', { length: 'STRLEN', tool: 'redis_get_key', is: 'a string' }],
  ['hash', { length: 'HLEN', tool: 'redis_get_hash', is: 'a hash' }],
  ['list', { length: 'LLEN', tool: 'redis_get_list', is: 'a list' }],
  ['set', { length: 'SCARD', tool: 'redis_get_set', is: 'a set' }],
  ['zset', { length: 'ZCARD', tool: 'redis_get_sorted_set', is: 'a sorted set' }],
  ['stream', { length: 'XLEN', tool: 'redis_read_stream', is: 'a stream' }],
  ['ReJSON-RL', { length: '', tool: 'redis_get_json', is: 'a JSON document' }],
]);

export const lengthCommandOf = (type: string): string | undefined => types.get(type)?.length || undefined;
export const toolFor = (type: string): string | undefined => types.get(type)?.tool;

/** The type of a key. Throws if there is none, or if it is not the one that is needed, and says which tool to use. */
export async function neededType(send: Send, key: Buffer, ...wanted: readonly string[]): Promise<string> {
  const type = textIn(await send('TYPE', key));
  if (type === 'none') throw noKey(key);
  if (wanted.length === 0 || wanted.includes(type)) return type;
  const { tool, is = `of the type ${type}` } = types.get(type) ?? {};
  const hint = tool === undefined ? '' : ` ${tool} shows it.`;
  throw new AppError('conflict', `${nameOf(key).slice(0, 200)} is ${is}.${hint}`);
}

/** For tools that add to a key: it may be missing, but not of another type. */
export async function freeOrType(send: Send, key: Buffer, wanted: string): Promise<void> {
  const type = textIn(await send('TYPE', key));
  if (type !== 'none') await neededType(send, key, wanted);
}

/** Seconds until a key expires; undefined if it does not. */
export function ttlIn(milliseconds: number): number | undefined {
  return milliseconds < 0 ? undefined : Math.max(1, Math.round(milliseconds / 1000));
}

/** Sets the expiry of a key that was just written, if one is wanted. */
export async function expiring(send: Send, key: Buffer, ttl: number | undefined): Promise<void> {
  if (ttl !== undefined) await send('EXPIRE', key, ttl);
}
