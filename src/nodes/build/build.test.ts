import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCatalogue } from '../catalogues/open.ts';
import { buildCatalogue } from './build.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-build-'));
  file = join(folder, 'c.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const node = (more: object = {}) => ({
  name: 'n8n-nodes-base.thing',
  displayName: 'Thing',
  description: 'Does things',
  group: ['transform'],
  version: 1,
  inputs: ['main'],
  outputs: ['main'],
  properties: [{ name: 'text', displayName: 'Text', type: 'string', default: '' }],
  ...more,
});

function catalogueOf(nodes: unknown[], credentials: unknown[] = []) {
  buildCatalogue({ nodes, credentials, from: 'packages', n8n: '1.2.3' }, file);
  return openCatalogue(file);
}

function deep(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}

const cyclic: { name: string; displayName: string; type: string; options?: unknown } = {
  name: 'a',
  displayName: 'A',
  type: 'collection',
};
cyclic.options = [cyclic];

describe('a catalogue', () => {
  it('has every version of a node, and the latest one that n8n offers', () => {
    const catalogue = catalogueOf([
      node({ version: [2, 2.1], defaultVersion: 2 }),
      node({ version: 1, defaultVersion: 2, description: 'Did things', hidden: true }),
    ]);
    expect(catalogue.nodes()).toHaveLength(1);
    expect(catalogue.node('n8n-nodes-base.thing')).toMatchObject({ versions: [1, 2, 2.1], latest: 2, hidden: false });
    expect(catalogue.description('n8n-nodes-base.thing')?.version).toEqual([2, 2.1]);
    expect(catalogue.description('n8n-nodes-base.thing', 1)?.description).toBe('Did things');
    expect(catalogue.description('n8n-nodes-base.thing', 3)).toBeUndefined();
    expect(catalogue.origin).toMatchObject({ from: 'packages', n8n: '1.2.3', broken: [] });
    catalogue.close();
  });

  it('has the tool variant for agents, with a description for the model', () => {
    const operation = { name: 'operation', displayName: 'Operation', type: 'options', default: 'a', options: [] };
    const catalogue = catalogueOf([
      node({ usableAsTool: true, codex: { alias: ['stuff'] } }),
      node({
        name: 'n8n-nodes-base.other',
        usableAsTool: { replacements: { displayName: 'Else' } },
        properties: [operation],
      }),
    ]);
    expect(catalogue.node('n8n-nodes-base.thingTool')).toMatchObject({
      title: 'Thing Tool',
      toolOf: 'n8n-nodes-base.thing',
    });
    expect(catalogue.description('n8n-nodes-base.thingTool')).toMatchObject({
      inputs: [],
      outputs: ['ai_tool'],
      codex: { categories: ['AI'], alias: ['stuff'] },
    });
    const names = (name: string) => catalogue.description(name)?.properties.map((one) => one.name);
    expect(names('n8n-nodes-base.thingTool')).toEqual(['toolDescription', 'text']);
    expect(catalogue.node('n8n-nodes-base.otherTool')?.title).toBe('Else Tool');
    expect(names('n8n-nodes-base.otherTool')).toEqual(['descriptionType', 'toolDescription', 'operation']);
    catalogue.close();
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'not an object'],
    ['a string', 'node', 'not an object'],
    ['no name', node({ name: undefined }), 'no name'],
    ['no version', node({ version: 'new' }), 'version'],
    ['properties that are no list', node({ properties: { text: {} } }), 'not a list'],
    ['a property that is no object', node({ properties: [null] }), 'not an object with a name'],
    ['a property without a type', node({ properties: [{ name: 'a' }] }), 'no type'],
    [
      'conditions that are no lists',
      node({ properties: [{ name: 'a', type: 'string', displayOptions: { show: { b: 1 } } }] }),
      'not lists',
    ],
    ['a cycle', node({ properties: [cyclic] }), 'levels deep'],
    ['extreme nesting', node({ codex: deep(100_000) }), 'levels deep'],
    ['a property called __proto__', node({ properties: [{ name: '__proto__', type: 'string' }] }), '__proto__'],
    ['a key called __proto__', node({ defaults: JSON.parse('{"__proto__":{"polluted":1}}') as unknown }), '__proto__'],
    ['invalid ports', node({ inputs: [{ kind: 'main' }] }), 'inputs'],
  ])('reports an unusable node and keeps the rest: %s', (_, broken, reason) => {
    const good = node({ name: 'n8n-nodes-community.good' });
    const catalogue = catalogueOf([good, broken]);
    expect(catalogue.nodes().map(({ name, community }) => [name, community])).toEqual([
      ['n8n-nodes-community.good', true],
    ]);
    expect(catalogue.origin.broken).toHaveLength(1);
    expect(catalogue.origin.broken[0]?.reason).toContain(reason);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    catalogue.close();
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('has no node or credential called %j', (name) => {
    const catalogue = catalogueOf([node()], [{ name: 'api', displayName: 'API', properties: [] }]);
    expect(catalogue.node(name)).toBeUndefined();
    expect(catalogue.description(name)).toBeUndefined();
    expect(catalogue.credentialType(name)).toBeUndefined();
    expect(catalogue.credentialTypes().map((type) => type.name)).toEqual(['api']);
    catalogue.close();
  });

  it('stays unchanged if a new build fails, and leaves no draft behind', () => {
    catalogueOf([node()]).close();
    expect(() => buildCatalogue({ nodes: ['x'], credentials: [], from: 'packages', n8n: '2.0.0' }, file)).toThrow(
      'nothing to build',
    );
    const catalogue = openCatalogue(file);
    expect(catalogue.origin.n8n).toBe('1.2.3');
    catalogue.close();
    expect(readdirSync(folder)).toEqual(['c.sqlite']);
  });

  it('accepts a node whose categories, aliases or output names are no lists', () => {
    const odd = { categories: { a: 1 }, subcategories: { 'Core Nodes': { a: 1 }, Tools: 5 }, alias: [null, 'Pipe'] };
    const catalogue = catalogueOf([
      node(),
      node({ name: 'n8n-nodes-odd.pump', usableAsTool: true, codex: odd, outputNames: null, inputNames: 'in' }),
      node({ name: 'n8n-nodes-odd.hose', codex: 'none' }),
      node({ name: 'n8n-nodes-odd.\ud800' }),
    ]);
    expect(catalogue.nodes().map(({ name }) => name)).toEqual([
      'n8n-nodes-base.thing',
      'n8n-nodes-odd.pump',
      'n8n-nodes-odd.hose',
      'n8n-nodes-odd.pumpTool',
    ]);
    expect(catalogue.description('n8n-nodes-odd.pump')).toMatchObject({
      codex: { categories: [], subcategories: { 'Core Nodes': [], Tools: [] }, alias: ['Pipe'] },
    });
    expect(catalogue.description('n8n-nodes-odd.pump')?.outputNames).toBeUndefined();
    expect(catalogue.origin.broken).toMatchObject([{ reason: 'its name is not well-formed text' }]);
    catalogue.close();
  });
});
