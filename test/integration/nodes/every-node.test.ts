import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nodeDetails } from '../../../src/nodes/details/details.ts';
import { nodeSpec } from '../../../src/nodes/details/node-spec.ts';
import { choicesOf } from '../../../src/nodes/details/walk.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';

const specs = z.array(nodeSpec);
/** Bytes around the nodes in a result, including the cursor. */
const AROUND = 250;

describe.skipIf(catalogueIsMissing)('details of every node, in every version', { timeout: 60_000 }, () => {
  const catalogue = catalogueIsMissing === undefined ? testCatalogue() : (undefined as never);
  const every = (catalogueIsMissing === undefined ? catalogue.nodes() : []).flatMap(({ name, versions }) =>
    versions.map((version) => ({ name, version })),
  );

  function pagesOf(name: string, version: number, detail: 'essentials' | 'full', more = {}) {
    const asked = { include_examples: true, include_schemas: true, detail, version, nodes: [{ node: name }], ...more };
    const pages = [nodeDetails(catalogue, asked)];
    for (let last = pages[0]; last?.cursor !== undefined; last = pages.at(-1)) {
      pages.push(nodeDetails(catalogue, asked, last.cursor));
    }
    return pages;
  }

  /** What is wrong with the details of a node. */
  function problems(name: string, version: number, detail: 'essentials' | 'full', most: number, more = {}): string[] {
    const pages = pagesOf(name, version, detail, more);
    const [first] = pages[0]?.nodes ?? [];
    const wrong = [
      ...(first?.error === undefined ? [] : [first.error]),
      ...(first?.warning === undefined ? [] : [first.warning]),
      ...(first?.n8n?.fragment?.nodes.length ? [] : ['no fragment']),
    ];
    for (const page of pages) {
      const text = JSON.stringify(page.nodes);
      // A reply contains the data twice: as data and as text.
      const bytes = Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text)) + AROUND;
      if (bytes >= most) wrong.push(`${bytes} bytes`);
      const { success, data } = specs.safeParse(page.nodes);
      // No keys beyond the schema.
      if (!success || JSON.stringify(data).length !== text.length) wrong.push('does not match the schema');
    }
    return wrong.map((what) => `${name} ${version}: ${what}`);
  }

  test('cover all nodes', () => {
    expect(every.length).toBeGreaterThan(1000);
  });

  test('fit their schema and 8 KB as essentials', () => {
    expect(every.flatMap(({ name, version }) => problems(name, version, 'essentials', 8192))).toEqual([]);
  });

  test('fit their schema in full, in pages below 40 KB', () => {
    expect(every.flatMap(({ name, version }) => problems(name, version, 'full', 40 * 1024))).toEqual([]);
  });

  test('fit 8 KB for other resources and operations too', () => {
    const sampled = catalogue.nodes().flatMap(({ name, latest }, at) => {
      const resource = catalogue.description(name, latest)?.properties.find((one) => one.name === 'resource');
      const values = resource?.type === 'options' ? choicesOf(resource).map(({ value }) => String(value)) : [];
      return values.length === 0 ? [] : [{ name, latest, resource: values[at % values.length] }];
    });
    expect(sampled.length).toBeGreaterThan(200);
    expect(
      sampled.flatMap(({ name, latest, resource }) => problems(name, latest, 'essentials', 8192, { resource })),
    ).toEqual([]);
  });
});
