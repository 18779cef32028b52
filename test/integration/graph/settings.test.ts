import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load } from '../../../src/runtime.ts';

async function loaded(file: string, env: Record<string, string> = {}) {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-graph-'));
  await writeFile(join(place.path, 'sluice.yaml'), file);
  return await load({ home: place.path, cwd: place.path, env });
}

const VARIABLES = { NEO4J_URL: 'neo4j://db:7687', NEO4J_USERNAME: 'ada', NEO4J_PASSWORD: 'a-secret-of-neo4j' };

describe('the section graph', () => {
  test('is in the store by default, or switched off; variables alone switch no Neo4j on', async () => {
    expect((await loaded('{}', VARIABLES)).config.graph).toEqual({ quota: 128 });
    expect((await loaded('graph: {}', VARIABLES)).config.graph).toEqual({ quota: 128 });
    expect((await loaded('graph: false', VARIABLES)).config.graph).toBe(false);
  });

  test('takes from variables what a Neo4j in the file leaves out, and keeps the password secret', async () => {
    const { config, secrets } = await loaded('graph: { neo4j: { username: bob } }', VARIABLES);
    expect(config.graph).toEqual({
      neo4j: { url: 'neo4j://db:7687', username: 'bob', password: 'a-secret-of-neo4j' },
      quota: 128,
    });
    expect(secrets).toContain('a-secret-of-neo4j');
    const written = await loaded('graph: { neo4j: { url: "bolt+s://db", password: written-in-the-file } }');
    expect(written.config.graph).toEqual({
      neo4j: { url: 'bolt+s://db', username: 'neo4j', password: 'written-in-the-file' },
      quota: 128,
    });
    expect(written.secrets).toContain('written-in-the-file');
  });

  test.each([
    ['graph: { neo4j: {} }', 'graph.neo4j.url'],
    ['graph: { neo4j: { url: "http://db:7474" } }', 'is not the URL of a Neo4j'],
    ['graph: { neo4j: { url: "neo4j://db" , pasword: x } }', 'pasword'],
    ['graph: { sqlite: true }', 'sqlite'],
    ['graph: 5', 'graph'],
  ])('%s is refused', async (file, reason) => {
    await expect(loaded(file)).rejects.toThrow(reason);
  });
});
