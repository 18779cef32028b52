import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../../../src/nodes/catalogue.ts';

/** The differences between two catalogues: path -> nodes. */
export function differences(one: Catalogue, other: Catalogue): Record<string, string[]> {
  const found = new Map<string, string[]>();
  const note = (what: string, where: string) => found.set(what, [...(found.get(what) ?? []), where]);
  const names = (catalogue: Catalogue) => catalogue.nodes().map(({ name }) => name);
  for (const name of names(one)) if (!other.node(name)) note('only in the first', name);
  for (const name of names(other)) if (!one.node(name)) note('only in the second', name);
  for (const summary of one.nodes()) {
    const twin = other.node(summary.name);
    if (!twin) continue;
    for (const path of paths(summary, twin)) note(`summary ${path}`, summary.name);
    for (const version of summary.versions) {
      const left = one.description(summary.name, version);
      const right = other.description(summary.name, version);
      for (const path of paths(left, right)) note(path, `${summary.name} ${version}`);
    }
  }
  for (const { name } of one.credentialTypes()) {
    for (const path of paths(one.credentialType(name), other.credentialType(name))) note(`credential ${path}`, name);
  }
  for (const { name } of other.credentialTypes())
    if (!one.credentialType(name)) note('credential only in the second', name);
  return Object.fromEntries(found);
}

/** The paths at which two values differ. List items are identified by their name, or by `*` without one. */
function paths(one: unknown, other: unknown, path = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) {
      const labels = (list: unknown[]) => list.map((item) => String(Object(item).name ?? JSON.stringify(item)));
      const [left, right] = [labels(one), labels(other)];
      const missing = left.filter((label) => !right.includes(label)).map((label) => `-${label}`);
      const added = right.filter((label) => !left.includes(label)).map((label) => `+${label}`);
      return [`${path}[${[...missing, ...added].join() || `${one.length}/${other.length}`}]`];
    }
    return [...new Set(one.flatMap((item, at) => paths(item, other[at], `${path}.${Object(item).name ?? '*'}`)))];
  }
  if (typeof one === 'object' && typeof other === 'object' && one && other) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => {
      const value = (of: object) => (of as Record<string, unknown>)[key];
      return paths(value(one), value(other), path === '' ? key : `${path}.${key}`);
    });
  }
  return [path];
}
