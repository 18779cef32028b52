import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NodeDescription, Property } from '../../../src/nodes/description.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, n8nModules, testCatalogue } from '../../support/catalogue.ts';
import { corpus } from '../../validation/corpus.ts';
import { random } from '../../validation/random.ts';

/** The library of the installed n8n, which publish and run ask before they start. */
interface Helpers {
  getNodeParameters(properties: readonly Property[], values: object, ...more: unknown[]): object | null;
  getNodeParametersIssues(
    properties: readonly Property[],
    node: object,
    description: object,
  ): { parameters?: object } | null;
}

const asked = new Set([
  'required-parameter',
  'field-count',
  'value-form',
  'resource-locator-value',
  'resource-mapper-shape',
  'invalid-json',
]);

interface TestNode {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: Record<string, unknown>;
}

describe.skipIf(catalogueIsMissing)("n8n's own parameter check", () => {
  const { NodeHelpers } = createRequire(import.meta.url)(join(n8nModules, 'n8n-workflow')) as { NodeHelpers: Helpers };

  function issuesOfN8n(given: TestNode, { name, ...rest }: NodeDescription): string[] {
    const description = { ...rest, name: name.replace(/^.*\./, '') };
    const node: { parameters: object } = structuredClone(given);
    node.parameters =
      NodeHelpers.getNodeParameters(rest.properties, node.parameters, true, false, node, description) ?? {};
    return Object.keys(NodeHelpers.getNodeParametersIssues(rest.properties, node, description)?.parameters ?? {});
  }

  function ours(node: TestNode): string[] {
    const workflow = { name: 'A', nodes: [{ id: '1', position: [0, 0], ...node }], connections: {}, settings: {} };
    const { findings } = validateWorkflow(workflow, testCatalogue(), { purpose: 'publish', only: ['parameters'] });
    return findings.filter(({ severity }) => severity === 'error').map(({ rule, path }) => `${rule} ${path}`);
  }

  const everyNode = () =>
    testCatalogue()
      .nodes()
      .flatMap(({ name, versions }) => versions.map((version) => ({ name, version })))
      .flatMap(({ name, version }) => {
        const description = testCatalogue().description(name, version);
        return description ? [{ name, version, description }] : [];
      });

  function compare(given: TestNode, description: NodeDescription): string | undefined {
    const theirs = issuesOfN8n(given, description);
    const found = ours(given);
    const label = `${given.type}@${given.typeVersion} ${JSON.stringify(given.parameters)}`;
    if (theirs.length > 0 && found.length === 0) return `missed: ${label}: ${theirs.join(', ')}`;
    if (theirs.length === 0 && found.some((one) => asked.has(one.split(' ')[0] as string)))
      return `too much: ${label}: ${found.join(', ')}`;
    return undefined;
  }

  it('gives the same errors for every node without parameters', () => {
    const differences = everyNode().flatMap(({ name, version, description }) => {
      const found = compare({ name: 'It', type: name, typeVersion: version, parameters: {} }, description);
      return found === undefined ? [] : [found];
    });
    expect(differences).toEqual([]);
  });

  it('gives the same errors for every resource and operation', () => {
    const chance = random(7);
    const differences: string[] = [];
    for (const { name, version, description } of everyNode()) {
      for (const parameters of choicesOf(description).filter(() => chance.chance(0.12))) {
        const found = compare({ name: 'It', type: name, typeVersion: version, parameters }, description);
        if (found !== undefined) differences.push(found);
      }
    }
    expect(differences).toEqual([]);
  });

  it('gives the same errors in the corpus', async () => {
    const missed: string[] = [];
    for (const { file, cases } of await corpus()) {
      for (const { name, workflow, expected } of cases) {
        const nodes = (workflow as { nodes?: readonly (TestNode & { disabled?: boolean })[] } | undefined)?.nodes;
        if (!file.startsWith('parameters/') || !nodes || expected.length > 0) continue;
        for (const node of nodes) {
          const description = testCatalogue().description(node.type, node.typeVersion);
          if (!description || node.disabled) continue;
          const theirs = issuesOfN8n(node, description);
          if (theirs.length > 0) missed.push(`${file}: ${name}: ${theirs.join(', ')}`);
        }
      }
    }
    expect(missed).toEqual([]);
  });
});

/** Every resource with each of its operations. */
function choicesOf({ properties }: NodeDescription): Record<string, unknown>[] {
  const valuesOf = (property: Property) =>
    (property.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
  return properties
    .filter(({ name, type }) => name === 'operation' && type === 'options')
    .flatMap((property) => {
      const resources = property.displayOptions?.show?.['resource'] ?? [undefined];
      return resources.flatMap((resource) =>
        valuesOf(property).map((operation) => (resource === undefined ? { operation } : { resource, operation })),
      );
    });
}
