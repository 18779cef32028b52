/**
 * The nodes of a real n8n for tests: built once from the n8n that tests need anyway, and cached until the code changes.
 *
 * describe.skipIf(catalogueIsMissing)('…', () => {
 *   const catalogue = testCatalogue();
 * });
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../src/host/home.ts';
import { installDirectory } from '../../src/n8n/local/places.ts';
import { buildCatalogue } from '../../src/nodes/build/build.ts';
import { fromPackage, type RawTypes } from '../../src/nodes/build/raw.ts';
import type { Catalogue, Catalogues } from '../../src/nodes/catalogue.ts';
import { openCatalogue } from '../../src/nodes/catalogues/open.ts';
import { PINNED_N8N } from '../../src/nodes/which-n8n.ts';
import { nodePackages } from '../../src/nodes/sources/installed.ts';

const cache = cacheDirectory(process.env);

/** Where the packages of n8n are. */
export const n8nModules = join(installDirectory(cache, PINNED_N8N), 'node_modules');

const isThere = nodePackages.every((name) => existsSync(join(n8nModules, name, 'dist', 'types', 'nodes.json')));

/** For `describe.skipIf`: why there is none. If everything must run, a missing catalogue is a failure. */
export const catalogueIsMissing =
  isThere || process.env.CI === 'true' ? undefined : 'n8n is not installed: `npm test` does it, or `sluice n8n up`';

let opened: Catalogue | undefined;

/** The catalogue of n8n's own packages. All callers share it: do not close it. */
export function testCatalogue(): Catalogue {
  opened ??= openCatalogue(testCatalogueFile());
  return opened;
}

/** The path of its file. */
export function testCatalogueFile(): string {
  const folder = join(cache, 'nodes');
  const file = join(folder, `test-${fingerprint()}.sqlite`);
  if (!existsSync(file)) {
    buildCatalogue({ ...rawTypes(), from: 'packages', n8n: PINNED_N8N }, file);
    for (const other of readdirSync(folder).filter((name) => /^test-[0-9a-f]+\.sqlite$/.test(name))) {
      // Another process may be about to open a fresh one.
      if (Date.now() - statSync(join(folder, other)).mtimeMs > 3_600_000) rmSync(join(folder, other), { force: true });
    }
  }
  return file;
}

/** The raw contents of both packages. */
function rawTypes(): RawTypes {
  const all = nodePackages.map((name) => {
    const list = (kind: string) =>
      JSON.parse(readFileSync(join(n8nModules, name, 'dist', 'types', `${kind}.json`), 'utf8')) as unknown[];
    return fromPackage(name, { nodes: list('nodes'), credentials: list('credentials') });
  });
  return { nodes: all.flatMap(({ nodes }) => nodes), credentials: all.flatMap(({ credentials }) => credentials) };
}

/** For a gateway that is asked about nodes: reuses what is computed once for all catalogues. */
export const sharedCache = { SLUICE_CACHE: cache };

/** For the `nodes` of a gateway that is not asked about nodes: building the catalogue takes 20 s of a core. */
export const withoutCatalogue = { build: 'manual' };

/** A hash of everything that decides what is in the file: all of our sources, because it contains prepared texts. */
function fingerprint(): string {
  const root = fileURLToPath(new URL('../../src/nodes', import.meta.url));
  const hash = createHash('sha256').update(PINNED_N8N);
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) hash.update(readFileSync(join(root, name)));
  }
  return hash.digest('hex').slice(0, 12);
}

/** The same for one of several. */
export const testCatalogues: Catalogues = {
  state: () => ({ state: 'ready', catalogue: testCatalogue() }),
  get: testCatalogue,
  ready: async () => testCatalogue(),
};
