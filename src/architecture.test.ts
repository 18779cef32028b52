import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Who may import whom. The composition at the root of src knows everyone; nobody else reaches across. */
const allowed: Record<string, readonly string[]> = {
  kernel: [],
  wire: ['kernel'],
  store: ['kernel'],
  embedder: ['kernel', 'host'],
  // What it knows of the parts goes when they bring their own settings.
  host: ['kernel', 'store', 'wire', 'auth', 'bridge', 'events', 'gateway', 'n8n', 'nodes', 'server', 'telemetry'],
  gateway: ['kernel', 'host', 'wire', 'store', 'embedder'],
  auth: ['kernel', 'host', 'store'],
  login: ['kernel', 'host', 'store', 'wire'],
  events: ['kernel', 'host', 'store'],
  telemetry: ['kernel', 'host'],
  nodes: ['kernel', 'host', 'store', 'embedder'],
  validation: ['kernel', 'nodes'],
  n8n: ['kernel', 'host', 'store', 'nodes', 'validation'],
  bridge: ['kernel', 'host', 'gateway', 'n8n'],
  server: ['kernel', 'host', 'wire', 'gateway', 'store', 'auth', 'events'],
  cli: [
    'kernel',
    'host',
    'wire',
    'gateway',
    'store',
    'auth',
    'login',
    'events',
    'n8n',
    'nodes',
    'validation',
    'bridge',
  ],
};

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const sources = files.filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.contract.ts'));

/** Relative imports of a file, as paths from src. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) => relative(root, join(root, file, '..', specifier)));
}

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
          .filter((target) => ![folder, ...others].includes(folderOf(target)))
          .map((target) => `${file} -> ${target}`),
      );
    expect(wrong).toEqual([]);
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
