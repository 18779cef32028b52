import { nearest } from './nearest.ts';
import type { Finding } from './schema-problems.ts';
import { valueAt } from './schema-problems.ts';
import { suggestName } from './source-name.ts';
import type { Tree } from './tree.ts';

/** Our own sources of tools, which are there whatever the file says. */
export const ownSources = ['gateway', 'n8n', 'nodes', 'bridge', 'run'] as const;

/** Exposed names must stay unique after lower-casing and `_` -> `-`, and so must what precedes them. */
export function sameSource(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

interface Claim {
  owner: string;
  path: string[];
}

/**
 * Servers, modules and our own sources share one namespace. A module is only a source where it is configured:
 * a pasted `memory` or `github` server is no clash as long as the module of that name is off.
 */
export function clashesIn(tree: Tree): Finding[] {
  const claims = new Map<string, Claim>();
  for (const name of ownSources) claims.set(name, { owner: `Sluice's own "${name}" tools`, path: [] });
  for (const name of Object.keys(section(tree, 'modules'))) {
    claims.set(sameSource(name), { owner: `the module "${name}"`, path: ['modules', name] });
  }

  const findings: Finding[] = [];
  for (const [name, entry] of Object.entries(section(tree, 'mcpServers'))) {
    if (name === '__proto__') {
      findings.push({ path: ['mcpServers', name], message: 'cannot be a name', fix: 'Rename it.' });
      continue;
    }
    if (isOff(entry)) continue;
    const prefix = valueAt(entry, ['prefix']);
    const wanted = [{ name, path: ['mcpServers', name] }];
    if (typeof prefix === 'string' && prefix !== '' && sameSource(prefix) !== sameSource(name)) {
      wanted.push({ name: prefix, path: ['mcpServers', name, 'prefix'] });
    }
    for (const claim of wanted) {
      const other = claims.get(sameSource(claim.name));
      if (other) findings.push(clash(name, claim, other, claims));
      else claims.set(sameSource(claim.name), { owner: `the server "${name}"`, path: claim.path });
    }
  }
  return findings;
}

function clash(
  server: string,
  claim: { name: string; path: string[] },
  other: Claim,
  claims: ReadonlyMap<string, Claim>,
): Finding {
  const isPrefix = claim.path.length === 3;
  const what = isPrefix ? `the prefix "${claim.name}" of the server "${server}"` : `the server "${server}"`;
  const where = other.path.length > 0 ? ` (${other.path.join('.')})` : '';
  return {
    path: claim.path,
    message: `${what} and ${other.owner}${where} would share the names of their tools`,
    fix: `Rename ${isPrefix ? 'the prefix' : 'the server'}, for example to "${freeName(claim.name, (name) => claims.has(name))}".`,
  };
}

/** A name near the given one that nobody has; `taken` is asked in the spelling of `sameSource`. */
export function freeName(given: string, taken: (name: string) => boolean): string {
  const base = suggestName(given);
  const candidates = [base, `${base.slice(0, 36)}-mcp`];
  for (const candidate of candidates) if (!taken(sameSource(candidate))) return candidate;
  for (let number = 2; ; number++) {
    const candidate = `${base.slice(0, 36)}-${number}`;
    if (!taken(sameSource(candidate))) return candidate;
  }
}

/** Routes to servers that do not exist. */
export function danglingRoutes(tree: Tree, presets: readonly string[]): Finding[] {
  const known = [...Object.keys(section(tree, 'mcpServers')), ...Object.keys(section(tree, 'presets')), ...presets];
  const routes = valueAt(tree, ['gateway', 'routes']);
  if (!Array.isArray(routes)) return [];
  return routes.flatMap((route: unknown, index) => {
    const to = valueAt(route, ['to']);
    if (typeof to !== 'string' || to === '' || known.includes(to)) return [];
    const meant = nearest(to, known);
    const fix = meant === undefined ? 'Name a server of mcpServers.' : `Did you mean "${meant}"?`;
    return [{ path: ['gateway', 'routes', index, 'to'], message: 'names no server', fix }];
  });
}

/** Whether an entry is switched off, in our spelling or in that of other clients. */
export function isOff(entry: unknown): boolean {
  return String(valueAt(entry, ['enabled'])) === 'false' || String(valueAt(entry, ['disabled'])) === 'true';
}

function section(tree: Tree, key: string): Tree {
  const value = tree[key];
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Tree) : {};
}
