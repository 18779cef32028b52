import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NodeDescription } from '../../../src/nodes/description.ts';
import { inputsOf, outputsOf, withErrorOutput } from '../../../src/nodes/configuration/ports.ts';
import { catalogueIsMissing, n8nModules, testCatalogue } from '../../support/catalogue.ts';
import { randomFrom, randomParameters } from './random-parameters.ts';

/** n8n's own implementation, from the n8n of the tests: the reference to compare with. */
interface N8nWorkflow {
  Workflow: new (of: object) => { getNode(name: string): unknown };
  NodeHelpers: Record<
    'getNodeInputs' | 'getNodeOutputs',
    (workflow: unknown, node: unknown, type: unknown) => unknown[]
  >;
}

describe.skipIf(catalogueIsMissing)('the inputs and outputs of a node', () => {
  // n8n warns on the console about ports it cannot compute.
  beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));
  afterAll(() => void vi.restoreAllMocks());

  it('are the same as in n8n, for every node that computes them', { timeout: 60_000 }, () => {
    const { NodeHelpers, Workflow } = createRequire(join(n8nModules, 'n8n', 'package.json'))(
      'n8n-workflow',
    ) as N8nWorkflow;
    const catalogue = testCatalogue();
    const random = randomFrom(5);
    const different: string[] = [];
    const unknown = new Set<string>();
    let compared = 0;
    let open = 0;
    for (const { name, versions } of catalogue.nodes()) {
      for (const version of versions) {
        const type = catalogue.description(name, version) as NodeDescription;
        if (typeof type.inputs !== 'string' && typeof type.outputs !== 'string') continue;
        for (const parameters of [
          {},
          randomParameters(type.properties, random),
          randomParameters(type.properties, random),
        ]) {
          const found = { description: type };
          const nodeTypes = { getByNameAndVersion: () => found, getByName: () => found, getKnownTypes: () => ({}) };
          const node = {
            id: '1',
            name: 'X',
            type: name,
            typeVersion: version,
            position: [0, 0],
            parameters: structuredClone(parameters),
          };
          const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
          const plain = (ports: unknown[]) =>
            JSON.stringify(ports.map((port) => (typeof port === 'string' ? { type: port } : port)));
          for (const [judge, ours] of [
            [NodeHelpers.getNodeInputs, inputsOf],
            [NodeHelpers.getNodeOutputs, outputsOf],
          ] as const) {
            const got = ours(type, parameters, version);
            // Unknown until runtime if an expression decides.
            if (!got && Object.values(parameters).some((value) => String(value).startsWith('='))) open++;
            else if (!got) unknown.add(name);
            else {
              compared++;
              const right = plain(judge(workflow, workflow.getNode('X'), type));
              if (plain([...got]) !== right)
                different.push(`${name} ${version} ${JSON.stringify(parameters)} ${right} ${plain([...got])}`);
            }
          }
        }
      }
    }
    expect(different.slice(0, 3)).toEqual([]);
    expect(compared).toBeGreaterThan(500);
    expect(open).toBeGreaterThan(0);
    // n8n itself cannot compute these, and assumes there are none.
    expect([...unknown]).toEqual(['@n8n/n8n-nodes-langchain.code']);
  });

  it('include an error output if errors have their own', () => {
    expect(withErrorOutput([{ type: 'main' }]).map(({ category }) => category)).toEqual([undefined, 'error']);
  });
});
