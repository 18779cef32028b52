import { didYouMean, inQuotes, nearestName } from '../../kernel/nearest-names.ts';
import { type Claim, ownSource, sameSource } from '../../host/config/claims.ts';
import { type Finding, valueAt } from '../../host/config/schema-problems.ts';
import { isTree, type Tree } from '../../host/config/tree.ts';
import type { Env, Path } from '../../host/part.ts';
import { builtInPresets } from './presets.ts';

const section = (file: Tree, key: string): Tree => {
  const value = file[key];
  return isTree(value) ? value : {};
};

/** Whether an entry is switched off, with our key or with that of other clients. */
const isOff = (entry: unknown): boolean =>
  String(valueAt(entry, ['enabled'])) === 'false' || String(valueAt(entry, ['disabled'])) === 'true';

/** The names that are taken: our own sources, the file's servers, and the prefixes of their tools. */
export function sourceClaims(file: Tree): Claim[] {
  const servers = Object.entries(section(file, 'mcpServers')).filter(([, entry]) => !isOff(entry));
  const named = servers.flatMap(([name, entry]): Claim[] => {
    const owner = `the server "${name}"`;
    const path = ['mcpServers', name];
    const key = valueAt(entry, ['prefix']) === undefined ? 'namespace' : 'prefix';
    const prefix = valueAt(entry, [key]);
    const own = typeof prefix === 'string' && prefix !== '' && sameSource(prefix) !== sameSource(name);
    return [{ name, owner, path }, ...(own ? [{ name: prefix, owner, path: [...path, key] }] : [])];
  });
  return [ownSource('gateway'), ...named];
}

/** Finds servers with impossible names, and routes to servers that do not exist. */
export function serverProblems(file: Tree): Finding[] {
  const servers = Object.keys(section(file, 'mcpServers'));
  const known = [...servers, ...Object.keys(section(file, 'presets')), ...Object.keys(builtInPresets)];
  const routes = valueAt(file, ['gateway', 'routes']);
  const dangling = (Array.isArray(routes) ? routes : []).flatMap((route: unknown, index): Finding[] => {
    const to = valueAt(route, ['to']);
    if (typeof to !== 'string' || to === '' || known.includes(to)) return [];
    const fix = didYouMean(inQuotes([nearestName(to, known)]), 'Name a server of mcpServers.');
    return [{ path: ['gateway', 'routes', index, 'to'], message: 'names no server', fix }];
  });
  const impossible = servers.includes('__proto__')
    ? [{ path: ['mcpServers', '__proto__'], message: 'cannot be a name', fix: 'Rename it.' }]
    : [];
  return [...impossible, ...dangling];
}

/** A missing value does not matter in a server or preset that is off: nothing uses it. */
export function spareServers(missing: readonly Path[], file: Tree, env: Env) {
  const paths = missing.filter(([key, name]) => {
    if (name === undefined) return false;
    const entry = valueAt(file, [String(key), name]);
    if (key === 'mcpServers') return isOff(entry);
    const variable = key === 'presets' ? valueAt(entry, ['when', 'env']) : undefined;
    return typeof variable === 'string' && !env[variable];
  });
  const names = (key: string) => paths.filter((path) => path[0] === key).map((path) => String(path[1]));
  const servers = names('mcpServers');
  const off = [...servers, ...names('presets')];
  return {
    paths,
    // Keep it as switched off: a preset of the same name must not take its place.
    without: (tree: Tree): Tree =>
      off.length === 0
        ? tree
        : {
            ...tree,
            mcpServers: Object.fromEntries(
              Object.entries(tree.mcpServers ?? {}).filter(([name]) => !servers.includes(name)),
            ),
            presets: { ...(tree.presets as Tree | undefined), ...Object.fromEntries(off.map((name) => [name, false])) },
          },
  };
}
