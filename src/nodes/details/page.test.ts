import { describe, expect, test } from 'vitest';
import type { Both, NodeSpec } from './node-spec.ts';
import { page } from './page.ts';
import { type Prepared, prepared } from './prepared.ts';

const parameter = (name: string, size = 50): Both => ({
  key: name,
  withDefault: true,
  parameter: { name, type: 'string', required: false, default_value: '', description: 'x'.repeat(size) },
  configuration: { type: 'string', required: false, default: '', description: 'x'.repeat(size) },
});

const node = (subtype: string, parameters: number, size?: number): Prepared =>
  prepared({
    identity: { node_type: 'ACTION', subtype },
    opening: { description: `What ${subtype} does` },
    parameters: Array.from({ length: parameters }, (_, at) => parameter(`p${at}`, size)),
  });

const broken = prepared({
  identity: { node_type: 'ACTION', subtype: 'NONE' },
  opening: { error: 'There is no such node.' },
});

/** Reads all pages as a caller would. */
function read(nodes: readonly Prepared[], limit: number): NodeSpec[][] {
  const pages: NodeSpec[][] = [];
  let offsets: readonly number[] | undefined = [];
  while (offsets) {
    const one = page(nodes, offsets, limit);
    pages.push(one.nodes.map(({ json }) => JSON.parse(json) as NodeSpec));
    offsets = one.offsets;
    expect(pages.length).toBeLessThan(200);
  }
  return pages;
}

const namesOf = (pages: NodeSpec[][], subtype: string) =>
  pages.flatMap((specs) =>
    specs
      .filter((spec) => spec.subtype === subtype)
      .flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)),
  );

const reply = (nodes: NodeSpec[]) => {
  const text = JSON.stringify({ nodes });
  return Buffer.byteLength(JSON.stringify({ content: [{ type: 'text', text }], structuredContent: { nodes } }));
};

describe('pages of node details', () => {
  test('a node that fits takes one page, with its parameters in both forms', () => {
    const [[spec] = [], ...more] = read([node('PUMP', 2)], 8192);
    expect(more).toEqual([]);
    expect(spec).toMatchObject({
      node_type: 'ACTION',
      description: 'What PUMP does',
      parameters: [{ name: 'p0' }, { name: 'p1' }],
      configurations: { p0: { type: 'string' }, p1: { type: 'string' } },
      default_configurations: { p0: '', p1: '' },
    });
    expect(spec).not.toHaveProperty('parameters_left');
  });

  test.each([[1], [3], [10], [50]])('%i nodes: nothing is lost or repeated', (count) => {
    const nodes = Array.from({ length: count }, (_, at) => node(`N${at}`, 5 + ((at * 7) % 40)));
    const pages = read(nodes, 8192);
    for (const [at, { pieces }] of nodes.entries()) {
      expect(namesOf(pages, `N${at}`)).toEqual(pieces.map((_, index) => `p${index}`));
    }
    for (const specs of pages) expect(reply(specs)).toBeLessThan(8192);
  });

  test('a large node does not push the others off the page', () => {
    const [first = []] = read([node('LARGE', 500), node('SMALL', 2), node('OTHER', 2)], 8192);
    expect(first.map(({ subtype, parameters_left }) => [subtype, parameters_left !== undefined])).toEqual([
      ['LARGE', true],
      ['SMALL', false],
      ['OTHER', false],
    ]);
  });

  test('a piece larger than a page gets its own page', () => {
    const pages = read([node('HUGE', 3, 20_000)], 8192);
    expect(namesOf(pages, 'HUGE')).toEqual(['p0', 'p1', 'p2']);
  });

  test('an unknown node shows only its error, and only once', () => {
    const pages = read([broken, node('PUMP', 100)], 8192);
    expect(pages.flat().filter(({ error }) => error !== undefined)).toEqual([
      { node_type: 'ACTION', subtype: 'NONE', error: 'There is no such node.' },
    ]);
  });

  test('invalid offsets do not throw, and paging ends', () => {
    expect(page([node('PUMP', 2)], [Number.NaN], 8192).nodes).toHaveLength(1);
    expect(page([node('PUMP', 2)], [99], 8192)).toEqual({ nodes: [] });
  });
});

test('any numbers in a cursor give a page', () => {
  const nodes = [node('ONE', 40, 200)];
  for (const odd of [-5, 0.5, 2.5, Number.NaN, Number.POSITIVE_INFINITY, 1e9]) {
    expect(() => page(nodes, [odd], 4000)).not.toThrow();
  }
  expect(page(nodes, [-5], 4000)).toMatchObject({ offsets: page(nodes, [], 4000).offsets });
});
