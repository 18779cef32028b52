import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCatalogue } from '../../../src/nodes/build/build.ts';
import type { Catalogue } from '../../../src/nodes/catalogue.ts';
import { openCatalogue } from '../../../src/nodes/catalogues/open.ts';
import { getNodeDetails } from '../../../src/nodes/tools/get-node-details.ts';
import { getNodeProperty } from '../../../src/nodes/tools/get-node-property.ts';
import { getNodeVersions } from '../../../src/nodes/tools/get-node-versions.ts';
import { caller, replyBytes } from '../../support/node-tools.ts';

/** An odd description that n8n accepts from a community node. */
const odd = {
  name: 'n8n-nodes-odd.pump',
  displayName: 'Pump',
  description: 'Pumps <b>water</b>',
  group: ['transform'],
  version: [1, 2],
  inputs: [{ type: 'main', displayName: 5, maxConnections: 'two', required: 'yes' }],
  outputs: '={{ while (true) {} }}',
  outputNames: 'out',
  requiredInputs: { none: true },
  codex: { categories: 'Water', alias: [null, 7, 'Pipe'] },
  properties: [
    { name: 'constructor', type: 'string', default: { deep: [1] }, description: 42, required: 'yes' },
    { name: 'toString', type: 'options', options: [{ name: 'A', value: { not: 'plain' } }, { value: 2 }, {}] },
    { name: 'resource', type: 'options', default: 'gone', options: [{ name: 'One', value: 'one' }] },
    { name: 'operation', type: 'string', default: '' },
    { name: 'site', type: 'resourceLocator', modes: [null, { name: 3 }, { name: 'id' }], typeOptions: null },
    { name: 'list', type: 'fixedCollection', options: [{ values: [{ name: 'x', type: 'string' }] }] },
    { name: 'more', type: 'collection', options: [{ name: 'y', type: 'number', hint: [] }] },
    { name: 'loud', type: 'string', description: 'x'.repeat(100_000), default: 'y'.repeat(3000) },
    { name: 'strange', type: 'somethingNew', displayOptions: { show: { '@version': [{ _cnd: { odd: 1 } }, null] } } },
  ],
};

describe('a community node with an odd description', () => {
  let folder: string;
  let catalogue: Catalogue;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-odd-'));
    const file = join(folder, 'odd.sqlite');
    const broken = { ...odd, name: 'n8n-nodes-odd.broken', properties: 5 };
    buildCatalogue({ nodes: [odd, broken], credentials: [], from: 'instance', n8n: '0.0.0' }, file);
    catalogue = openCatalogue(file);
  });
  afterAll(async () => {
    catalogue.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(['essentials', 'full'])('has details that satisfy the schema (%s)', async (detail) => {
    const args = { nodes: [{ node: odd.name }], detail };
    type Answer = { nodes: { parameters: { name: string }[]; tags?: string[] }[]; cursor?: string };
    let page = await caller(catalogue)<Answer>(getNodeDetails, args);
    expect(page.nodes[0]).toMatchObject({ description: 'Pumps water', chosen: { resource: 'one' } });
    expect(page.nodes[0]?.tags).toEqual(expect.arrayContaining(['community', 'water', 'pipe']));
    const names: string[] = [];
    for (;;) {
      expect(replyBytes()).toBeLessThan(40_000);
      names.push(...page.nodes.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
      if (page.cursor === undefined) break;
      page = await caller(catalogue)<Answer>(getNodeDetails, { ...args, cursor: page.cursor });
    }
    expect(names).toEqual(expect.arrayContaining(['constructor', 'toString', 'site', 'loud']));
  });

  test('has parameters that can be searched and versions that can be compared', async () => {
    const found = await caller(catalogue)(getNodeProperty, { node: odd.name, query: 'constructor' });
    expect(found).toMatchObject({ parameters: [{ path: 'constructor', type: 'string' }] });
    expect(await caller(catalogue)(getNodeVersions, { node: odd.name })).toMatchObject({ from: 1, to: 2, total: 0 });
  });

  test('is reported as unusable if its description is broken, not as missing', async () => {
    const { nodes } = await caller(catalogue)<{ nodes: { error?: string }[] }>(getNodeDetails, {
      nodes: ['n8n-nodes-odd.broken', 'n8n-nodes-odd.absent'],
    });
    expect(nodes[0]?.error).toContain(
      'The description of n8n-nodes-odd.broken is unusable: its properties are not a list.',
    );
    expect(nodes[1]?.error).toContain('There is no node');
  });
});
