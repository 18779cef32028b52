import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configured } from '../../../src/nodes/configuration/configuration.ts';
import type { NodeDescription, Property } from '../../../src/nodes/description.ts';
import { catalogueIsMissing, n8nModules, testCatalogue } from '../../support/catalogue.ts';
import { randomFrom, randomParameters } from './random-parameters.ts';

/** n8n's own reading of parameters, from the n8n that tests have: the judge, not a part of ours. */
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

describe.skipIf(catalogueIsMissing)('what is shown of a node', () => {
  const { NodeHelpers } = createRequire(join(n8nModules, 'n8n', 'package.json'))('n8n-workflow') as N8nWorkflow;

  it('is what n8n shows, for every version of every node and parameters of all kinds', { timeout: 60_000 }, () => {
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
