import type { Send } from './connection.ts';
import { textIn } from './replies.ts';

/** One line of INFO. */
export interface Fact {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

export function factsIn(text: string): Fact[] {
  let section = '';
  return text.split(/\r?\n/).flatMap((line) => {
    if (line.startsWith('#')) section = line.slice(1).trim().toLowerCase();
    const colon = line.indexOf(':');
    if (line === '' || line.startsWith('#') || colon === -1) return [];
    return [{ section, name: line.slice(0, colon), value: line.slice(colon + 1) }];
  });
}

export const infoOf = async (send: Send, section: string): Promise<Fact[]> =>
  factsIn(textIn(await send('INFO', section)));

/** A section by name. */
export const infoMap = async (send: Send, section: string): Promise<ReadonlyMap<string, string>> =>
  new Map((await infoOf(send, section)).map(({ name, value }) => [name, value]));

export interface Keyspace {
  readonly database: number;
  readonly keys: number;
  readonly expiring: number;
}

/** The databases that have keys. */
export async function keyspaces(send: Send): Promise<Keyspace[]> {
  return (await infoOf(send, 'keyspace')).flatMap(({ name, value }) => {
    const [, database] = /^db(\d+)$/.exec(name) ?? [];
    const [, keys, expires] = /^keys=(\d+),expires=(\d+)/.exec(value) ?? [];
    if (database === undefined) return [];
    return [{ database: Number(database), keys: Number(keys), expiring: Number(expires) }];
  });
}
