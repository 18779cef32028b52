import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configured } from '../../../src/nodes/configuration/configuration.ts';
import type { NodeDescription, Property } from '../../../src/nodes/description.ts';
import { catalogueIsMissing, n8nModules, testCatalogue } from '../../support/catalogue.ts';
import { randomFrom, randomParameters } from './random-parameters.ts';

/** n8n's own implementation, from the n8n of the tests: the reference to compare with. */
interface N8nWorkflow {
  NodeHelpers: {
    getNodeParameters(
      properties: readonly Property[],
      values: unknown,
      defaults: boolean,
      hidden: boolean,
      node: unknown,
      description: NodeDescription,
    ): Record<string, unknown> | null;
    displayParameter(values: unknown, of: object, node: unknown, description: NodeDescription): boolean;
  };
}

const ROUNDS = 6;

describe.skipIf(catalogueIsMissing)('visibility of parameters', () => {
  const { NodeHelpers } = createRequire(join(n8nModules, 'n8n', 'package.json'))('n8n-workflow') as N8nWorkflow;

  it('is the same as in n8n, for every version of every node and random parameters', { timeout: 60_000 }, () => {
    const catalogue = testCatalogue();
    const random = randomFrom(20);
    const different: string[] = [];
    let compared = 0;
    for (const { name, versions } of catalogue.nodes()) {
      for (const version of versions) {
        const description = catalogue.description(name, version) as NodeDescription;
        const node = { name: 'One', type: name, typeVersion: version, position: [0, 0], parameters: {} };
        for (let round = 0; round < ROUNDS; round++) {
          const parameters = round === 0 ? {} : randomParameters(description.properties, random);
          const values = NodeHelpers.getNodeParameters(
            description.properties,
            parameters,
            true,
            false,
            node,
            description,
          );
          const shown = (one: object) => NodeHelpers.displayParameter(values, one, node, description);
          const ours = configured(description, parameters, version);
          for (const one of [...description.properties, ...(description.credentials ?? [])]) {
            compared++;
            if (shown(one) !== ours.shows(one)) {
              different.push(
                `${name} ${version} ${one.name} ${JSON.stringify(one.displayOptions)} ${JSON.stringify(parameters)}`,
              );
            }
          }
        }
      }
    }
    expect(different.slice(0, 5)).toEqual([]);
    expect(compared).toBeGreaterThan(100_000);
  });
});
