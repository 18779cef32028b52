import { join } from 'node:path';
import { checkedN8n } from '../which-n8n.ts';
import { LAYOUT } from './layout.ts';

/** One for each version of n8n, shared by every home of this user: it can be built anew at any time. */
export function packageCatalogue(cache: string, n8n: string): string {
  return join(cache, 'nodes', `${checkedN8n(n8n)}.v${LAYOUT}.sqlite`);
}

/** Vectors of what nodes are for: most are the same in all catalogues of this user. */
export const meaningVectors = (cache: string): string => join(cache, 'nodes', 'meanings.vectors');

/** What an instance says of its own nodes belongs to whoever has its login. */
export function instanceCatalogue(home: string, instance: string): string {
  // Any name may be given to an instance; only some are names of files, and file systems differ in what is the same.
  const name = /^[a-z0-9][a-z0-9_-]{0,60}$/.test(instance) ? instance : `x${Buffer.from(instance).toString('hex')}`;
  return join(home, 'nodes', `${name.slice(0, 200)}.v${LAYOUT}.sqlite`);
}
