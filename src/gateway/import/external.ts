import { type Claim, freeName, sameSource } from '../../host/config/claims.ts';
import type { Tree } from '../../host/config/tree.ts';
import { EXTERNAL, serversOf } from './clients.ts';

/**
 * The servers of `external-mcp.json`, the file of an earlier gateway, that the configuration does not have itself. A name
 * that is one of ours becomes the one that `sluice init` gives it.
 */
export function externalServers(content: unknown, servers: Tree, claims: readonly Claim[]): Tree {
  const inFile = new Set(Object.keys(servers).map(sameSource));
  const others = claims.filter(({ yields, path }) => !yields && !(path[0] === 'mcpServers' && path.length === 2));
  const taken = new Set(others.map(({ name }) => sameSource(name)));
  const added: Tree = {};
  for (const [given, entry] of Object.entries(serversOf(content, EXTERNAL))) {
    if (inFile.has(sameSource(given))) continue;
    const name = freeName(given, (one) => taken.has(one));
    if (inFile.has(sameSource(name))) continue;
    taken.add(sameSource(name));
    added[name] = entry;
  }
  return added;
}
