import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { c as pack } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/kernel/errors.ts';
import { npmOutput } from '../../../src/n8n/local/npm-output.ts';
import { waitForLock } from '../../../src/host/process-lock.ts';
import { chosenFile } from '../../../src/nodes/catalogues/choice.ts';
import { LAYOUT } from '../../../src/nodes/catalogues/layout.ts';
import { openCatalogue } from '../../../src/nodes/catalogues/open.ts';
import type { InstanceSource, Sources } from '../../../src/nodes/sources/sources.ts';
import { syncCatalogue } from '../../../src/nodes/catalogues/sync.ts';

let folder: string;
let steps: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-sync-'));
  steps = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const node = (name: string) => ({
  name,
  displayName: name,
  group: ['transform'],
  version: 1,
  inputs: ['main'],
  outputs: ['main'],
  properties: [],
});

/** A fake npm with the packages of one n8n. `damage` may change each tarball before it is used. */
function npmWith(damage: (file: string) => Promise<void> = async () => {}): Sources['npm'] {
  return async (args, into) => {
    if (args[0] === 'view') {
      return JSON.stringify({ 'n8n-nodes-base': '9.9.1', '@n8n/n8n-nodes-langchain': '9.9.2', other: '^1.0.0' });
    }
    const spec = String(args[1]);
    const name = spec.includes('langchain') ? 'two' : 'one';
    const types = join(folder, name, 'package', 'dist', 'types');
    await mkdir(types, { recursive: true });
    await writeFile(join(folder, name, 'package', 'package.json'), '{}');
    await writeFile(join(types, 'nodes.json'), JSON.stringify([node(name)]));
    await writeFile(
      join(types, 'credentials.json'),
      JSON.stringify([{ name: `${name}Api`, displayName: name, properties: [] }]),
    );
    await pack({ gzip: true, file: join(into, `${name}.tgz`), cwd: join(folder, name) }, ['package']);
    await damage(join(into, `${name}.tgz`));
    return `some notice\n${name}.tgz\n`;
  };
}

function sync(of: { instance?: string; n8n?: string }, more: Partial<Sources> = {}) {
  return syncCatalogue(of, {
    home: join(folder, 'home'),
    cache: join(folder, 'cache'),
    pinned: '9.9.9',
    sources: {
      installed: async () => undefined,
      npm: npmWith(),
      instance: () => ({ version: async () => undefined }),
      lock: waitForLock,
      ...more,
    },
    progress: (step) => steps.push(step),
  });
}

const namesIn = (file: string) => {
  const catalogue = openCatalogue(file);
  const names = catalogue.nodes().map(({ name }) => name);
  catalogue.close();
  return names;
};

describe('the catalogue of a version', () => {
  it('is built once from the tarballs that npm fetches', async () => {
    const { file, changed } = await sync({});
    expect(changed).toBe(true);
    expect(namesIn(file)).toEqual(['n8n-nodes-base.one', '@n8n/n8n-nodes-langchain.two']);
    expect(steps).toEqual(
      expect.arrayContaining(['fetching n8n-nodes-base@9.9.1', 'fetching @n8n/n8n-nodes-langchain@9.9.2']),
    );
    const npm = async () => Promise.reject(new Error('not asked'));
    expect(await sync({ n8n: '9.9.9' }, { npm })).toMatchObject({ file, changed: false });
  });

  it('is prepared again without a download if another release prepared it', async () => {
    const { file, origin } = await sync({});
    const database = new DatabaseSync(file);
    database.exec("UPDATE meta SET value = 'older' WHERE key = 'essentials'; DELETE FROM essentials");
    database.close();
    const npm = async () => Promise.reject(new Error('not asked'));
    expect(await sync({}, { npm })).toEqual({ file, origin, changed: true });
    const catalogue = openCatalogue(file);
    expect(catalogue.essentials?.('n8n-nodes-base.one')).toContain('n8n-nodes-base.one');
    catalogue.close();
    expect((await sync({}, { npm })).changed).toBe(false);
    expect((await readdir(join(folder, 'cache', 'nodes'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is built only once if two processes need it at the same time', async () => {
    const both = await Promise.all([sync({}), sync({})]);
    expect(new Set(both.map(({ origin }) => origin.builtAt)).size).toBe(1);
    expect(steps).toContain('waiting for another process that is building it');
  });

  it.each<[string, (file: string) => Promise<void>]>([
    ['cut off', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
    ['empty', (file) => truncate(file, 0)],
    ['something else', (file) => writeFile(file, '<html>Sign in to the network</html>')],
  ])('is not built from a tarball that is %s', async (_, damage) => {
    await expect(sync({}, { npm: npmWith(damage) })).rejects.toThrow(
      /n8n-nodes-base.*(is incomplete or damaged|no readable list)/,
    );
    expect((await readdir(join(folder, 'cache', 'nodes'))).filter((name) => !name.endsWith('.lock'))).toEqual([]);
    expect((await sync({})).changed).toBe(true);
  });

  it('cleans up the drafts of a killed process', async () => {
    const nodes = join(folder, 'cache', 'nodes');
    await mkdir(nodes, { recursive: true });
    await writeFile(join(nodes, `9.9.9.v${LAYOUT}.sqlite.123-abcd.tmp`), 'half of it');
    await writeFile(join(nodes, 'other.tmp'), 'of somebody else');
    await sync({});
    expect((await readdir(nodes)).filter((name) => name.endsWith('.tmp'))).toEqual(['other.tmp']);
  });

  it('reports that the registry is unreachable', async () => {
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(folder, 'npm') };
    const npm: Sources['npm'] = (args, cwd, signal) =>
      npmOutput({ args: [...args, '--fetch-retries=0'], cwd, env, signal });
    await expect(sync({}, { npm })).rejects.toThrow('npm cannot reach its registry');
  });

  it.each(['../../x', '2', 'latest', '1.2.3; rm'])('is refused for the version %s', async (n8n) => {
    await expect(sync({ n8n })).rejects.toThrow('is not an n8n version');
  });
});

describe('the catalogue of an instance', () => {
  const instance = (nodes: unknown[], version = '9.9.9'): InstanceSource => ({
    version: async () => version,
    types: async () => ({ nodes, credentials: [] }),
  });

  it('is built from its own nodes, and rebuilt when they change', async () => {
    const first = [node('n8n-nodes-base.one')];
    const { file } = await sync({ instance: 'a' }, { instance: () => instance(first) });
    expect((await sync({ instance: 'a' }, { instance: () => instance(first) })).changed).toBe(false);
    const more = [...first, node('n8n-nodes-community.two')];
    expect((await sync({ instance: 'a' }, { instance: () => instance(more) })).changed).toBe(true);
    expect(namesIn(file)).toEqual(['n8n-nodes-base.one', 'n8n-nodes-community.two']);
    expect(chosenFile(join(folder, 'home'), join(folder, 'cache'), 'a')).toBe(file);
    expect((await sync({ instance: 'a' }, { instance: () => instance(more, '9.9.10') })).changed).toBe(true);
  });

  it('stays if the instance does not answer', async () => {
    const { file } = await sync({ instance: 'a' }, { instance: () => instance([node('n8n-nodes-base.one')]) });
    const gone: InstanceSource = { version: () => Promise.reject(new AppError('unavailable', 'n8n does not answer.')) };
    await expect(sync({ instance: 'a' }, { instance: () => gone })).rejects.toThrow('does not answer');
    expect(namesIn(file)).toEqual(['n8n-nodes-base.one']);
  });

  it('is that of its version without a login', async () => {
    const { file, origin } = await sync({ instance: 'a' }, { instance: () => ({ version: async () => '9.9.8' }) });
    expect(origin).toMatchObject({ from: 'packages', n8n: '9.9.8' });
    expect(chosenFile(join(folder, 'home'), join(folder, 'cache'), 'a')).toBe(file);
    // It no longer tells its version, so the last known one is used.
    expect((await sync({ instance: 'a' })).origin.n8n).toBe('9.9.8');
  });

  it('asks for a login if its version is not in the registry', async () => {
    const npm: Sources['npm'] = () => Promise.reject(new AppError('not_found', 'No such version.'));
    const nightly = () => ({ version: async () => '9.9.9-exp.1' });
    await expect(sync({ instance: 'lab' }, { npm, instance: nightly })).rejects.toThrow(
      /No such version.*runs version 9\.9\.9-exp\.1.*n8n\.lab\.login/,
    );
    await expect(sync({ instance: 'lab' }, { npm })).rejects.toThrow(/^No such version\.$/);
    const cutOff: Sources['npm'] = () => Promise.reject(new AppError('unavailable', 'No registry.'));
    await expect(sync({ instance: 'lab' }, { npm: cutOff, instance: nightly })).rejects.toThrow(/n8n\.lab\.login/);
  });

  it.each(['../../etc/x', '__proto__', 'Ünïcode', 'a/b', 'x'.repeat(300)])('may have any name: %s', async (name) => {
    const { file } = await sync({ instance: name }, { instance: () => instance([node('n8n-nodes-base.one')]) });
    expect(file.startsWith(join(folder, 'home', 'nodes'))).toBe(true);
  });
});
