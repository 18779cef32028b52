import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../src/nodes/catalogue.ts';
import { nodeDetails, plain } from '../../../src/nodes/details/details.ts';
import { ESSENTIALS } from '../../../src/nodes/catalogues/layout.ts';
import { lookupIndex } from '../../../src/nodes/lookup/lookup-index.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';

/**
 * Hash of all prepared details. Catalogues outlive an update of Sluice. If the hash changes, increase ESSENTIALS in
 * src/nodes/catalogues/layout.ts, so that details are prepared again, and update both values here.
 */
const known = { essentials: 4, hash: '21700ba84d65aa18' };

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

describe.skipIf(catalogueIsMissing)('prepared details', () => {
  const catalogue = catalogueIsMissing === undefined ? testCatalogue() : (undefined as never);
  const { essentials: _, ...rest } = catalogueIsMissing === undefined ? catalogue : ({} as Catalogue);
  const unprepared: Catalogue = { ...rest };
  const read = (from: Catalogue, node: string) =>
    JSON.stringify(nodeDetails(from, { ...plain, nodes: [{ node }] })).replaceAll(uuid, 'an id');
  const names = () => [
    ...catalogue.nodes().map(({ name }) => name),
    ...lookupIndex(catalogue)
      .all.filter(({ curated }) => curated)
      .map(({ type, subtype }) => `${type}.${subtype}`),
  ];

  test('equal the computed ones, for every node and every curated subtype', () => {
    const hash = createHash('sha256');
    for (const name of names()) {
      expect(catalogue.essentials?.(name), name).toBeDefined();
      const said = read(catalogue, name);
      expect(said.replace(/"cursor":"[^"]*"/, ''), name).toBe(read(unprepared, name).replace(/"cursor":"[^"]*"/, ''));
      hash.update(`${name} ${(catalogue.essentials?.(name) ?? '').replaceAll(uuid, 'an id')}\n`);
    }
    expect({ essentials: ESSENTIALS, hash: hash.digest('hex').slice(0, 16) }).toEqual(known);
  });

  test('make it unnecessary to read the description', () => {
    const strict: Catalogue = {
      ...catalogue,
      description(name) {
        throw new Error(`${name} was read`);
      },
    };
    expect(nodeDetails(strict, { ...plain, nodes: [{ node: 'n8n-nodes-base.slack' }] }).nodes).toHaveLength(1);
    expect(() =>
      nodeDetails(strict, { ...plain, resource: 'user', nodes: [{ node: 'n8n-nodes-base.slack' }] }),
    ).toThrow('was read');
  });
});
