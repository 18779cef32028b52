import { join } from 'node:path';
import { checkedN8n } from '../which-n8n.ts';
import { LAYOUT } from './layout.ts';

/** One file per n8n version, in the cache shared by all homes of this user: it can be rebuilt at any time. */
export function packageCatalogue(cache: string, n8n: string): string {
  return join(cache, 'nodes', `${checkedN8n(n8n)}.v${LAYOUT}.sqlite`);
}

/** Vectors of the node texts. One file for all catalogues of this user, because most texts are the same. */
export const meaningVectors = (cache: string): string => join(cache, 'nodes', 'meanings.vectors');

/** In the home, not the shared cache: reading an instance's nodes takes a login. */
export function instanceCatalogue(home: string, instance: string): string {
  // An instance may have any name. Encode names that are not safe as file names or that differ only in case.
  const name = /^[a-z0-9][a-z0-9_-]{0,60}$/.test(instance) ? instance : `x${Buffer.from(instance).toString('hex')}`;
  return join(home, 'nodes', `${name.slice(0, 200)}.v${LAYOUT}.sqlite`);
}
