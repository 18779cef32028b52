import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { toolReference } from '../../scripts/tool-reference.ts';
import type { AnyPart } from '../../src/host/part.ts';
import { parts } from '../../src/parts.ts';
import { startRuntime } from '../../src/runtime.ts';
import { everyModule } from '../support/every-module.ts';

const pages = await toolReference();

it('the parts declare, without being started, the tools that a gateway lists', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-tools-'));
  const env = { N8N_URL: 'http://127.0.0.1:9' };
  const config = { graph: { neo4j: { url: 'neo4j://127.0.0.1:9' } }, modules: everyModule };
  await writeFile(join(place.path, 'sluice.json'), JSON.stringify(config));
  await using runtime = await startRuntime({ home: place.path, cwd: place.path, env });
  const listed = runtime.apis.gateway.registry.all().map(({ entry }) => entry.tool);
  const said = await Promise.all(Object.values<AnyPart>(parts).map(async ({ tools }) => (await tools?.()) ?? []));
  expect(listed.toSorted()).toEqual(
    said
      .flat()
      .map(({ name }) => name)
      .toSorted(),
  );
});

it.each([...pages.keys()])('docs/%s matches the tools; `npm run docs` updates it', async (path) => {
  const file = fileURLToPath(new URL(`../../docs/${path}`, import.meta.url));
  expect(await readFile(file, 'utf8')).toBe(pages.get(path));
});
