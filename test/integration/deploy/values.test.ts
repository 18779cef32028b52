/** The documentation of the chart's values. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { chartFolder } from '../../support/kubernetes/helm.ts';

type Tree = Readonly<Record<string, unknown>>;

const values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Tree;
const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Tree;
const page = readFileSync(fileURLToPath(new URL('../../../docs/kubernetes.md', import.meta.url)), 'utf8');

/** The paths of all values that are not maps of others, with their defaults. */
function leaves(tree: Tree, path = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] => {
    const isMap = value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0;
    return isMap ? leaves(value as Tree, `${path}${key}.`) : [[path + key, value]];
  });
}

const rows = (page.split('\n## Values')[1]?.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, names = '', standard = ''] = line.split('|');
    const code = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    return { names: code(names), standard: code(standard)[0] };
  });

test('docs/kubernetes.md has every value of the chart, and no other', () => {
  const documented = rows.flatMap(({ names }) => names);
  const covers = (name: string, path: string) =>
    name.endsWith('.*') ? path.startsWith(name.slice(0, -1)) : path === name || path.startsWith(`${name}.`);
  const paths = leaves(values).map(([path]) => path);
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !documented.some((name) => covers(name, path)))).toEqual([]);
  expect(documented.filter((name) => !paths.some((path) => covers(name, path)))).toEqual([]);
});

test('docs/kubernetes.md has their defaults', () => {
  const defaults = new Map(leaves(values));
  const wrong = rows.flatMap(({ names, standard }) =>
    names.filter((name) => {
      const value = defaults.get(name);
      // Lists and maps may be too long for the table, or empty.
      if (!defaults.has(name) || (typeof value === 'object' && standard === undefined)) return false;
      return (standard ?? '') !== (typeof value === 'string' ? value : JSON.stringify(value));
    }),
  );
  expect(wrong).toEqual([]);
});

/** Follows $ref, and descends into properties. */
function described(node: Tree, keys: readonly string[]): boolean {
  const { $ref: reference } = node;
  if (typeof reference === 'string')
    return described((schema.definitions as Tree)[reference.replace('#/definitions/', '')] as Tree, keys);
  const [key, ...rest] = keys;
  if (key === undefined) return true;
  const child = (node.properties as Tree | undefined)?.[key];
  // Maps that people fill, such as resources, have no properties.
  return child === undefined ? node.properties === undefined : described(child as Tree, rest);
}

test('values.schema.json knows every value, and no key beside them', () => {
  expect(leaves(values).filter(([path]) => !described(schema, path.split('.')))).toEqual([]);
  expect(schema.additionalProperties).toBe(false);
});
