import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnyPart, Parts } from './host/part.ts';
import { parts } from './parts.ts';

/** What every part may import. */
const base = {
  kernel: [],
  wire: ['kernel'],
  store: ['kernel'],
  host: ['kernel', 'store', 'wire'],
  cli: ['kernel', 'store', 'wire', 'host'],
};

/** The validator is not a part. */
const besides = { validation: ['kernel', 'host', 'nodes'] };

/** A part may import the base and the parts it uses; n8n also the validator. Only the root of src may import everything. */
const ofParts = Object.entries<AnyPart>(parts).flatMap(([name, { uses = {} }]): [string, string[]][] =>
  name in base
    ? []
    : [[name, [...Object.keys(base), ...Object.keys(uses as object), ...(name === 'n8n' ? ['validation'] : [])]]],
);

const allowed: Record<string, readonly string[]> = { ...base, ...besides, ...Object.fromEntries(ofParts) };

/** The store is below the host, but its part has the host's types. */
const exceptions = new Set([
  'store/part.ts -> host/part.ts',
  'store/part.ts -> host/config/at-start.ts',
  'store/part.ts -> host/config/fill.ts',
]);

/** The store is below the host and the command line, but its commands are above them, like those of every part. */
const commandsOf = { 'store/commands/': ['host', 'cli'] };

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const sources = files.filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.contract.ts'));

/** Relative imports of a file, as paths from src. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) => relative(root, join(root, file, '..', specifier)));
}

/** Pages run in the browser, inside the console. */
const isPage = (file: string): boolean => file.split(sep)[1] === 'pages';

const moreFor = (file: string): readonly string[] => [
  ...(Object.entries(commandsOf).find(([start]) => file.startsWith(start))?.[1] ?? []),
  ...(isPage(file) ? ['console'] : []),
];

const folderOf = (file: string): string => (file.includes(sep) ? (file.split(sep)[0] as string) : '');

describe('architecture', () => {
  it('has a rule for every folder', () => {
    const folders = new Set(sources.map(folderOf).filter((folder) => folder !== ''));
    expect([...folders].sort()).toEqual(Object.keys(allowed).sort());
  });

  it.each(Object.entries(allowed))('%s imports only what it may', (folder, others) => {
    const wrong = sources
      .filter((file) => folderOf(file) === folder)
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => ![folder, ...others, ...moreFor(file)].includes(folderOf(target)))
          .map((target) => `${file} -> ${target}`),
      )
      .filter((one) => !exceptions.has(one));
    expect(wrong).toEqual([]);
  });

  it('opens parts in an order in which each finds what it uses', () => {
    const list = Object.values<AnyPart>(parts);
    for (const [index, { uses = {} }] of list.entries())
      for (const used of Object.values(uses as Parts)) expect(list.indexOf(used)).toBeLessThan(index);
  });

  it('reads the environment in main.ts alone', () => {
    const readers = sources.filter(
      (file) =>
        readFileSync(join(root, file), 'utf8').includes('process.env') ||
        /\{ env \} = process/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(readers).toEqual(['main.ts']);
  });

  it('has no circular imports', () => {
    const graph = new Map(sources.map((file) => [file, importsOf(file)]));
    const cycles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });
});
