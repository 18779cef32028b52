import { describe, expect, test } from 'vitest';
import { catalogueIsMissing, testCatalogues } from '../../../test/support/catalogue.ts';
import { countsOf, givenOut, knownOutputs, labelOf, mainWay, outputsOf } from './outputs.ts';
import type { RanNode } from './run-data.ts';

const node = (type: string, typeVersion: number, parameters = {}, more: Partial<RanNode> = {}): RanNode => ({
  name: 'Node',
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  parameters,
  ...more,
});
const main = (...counts: number[]) => ({
  data: { main: counts.map((count) => Array.from({ length: count }, () => ({ json: {} }))) },
});
const rule = (outputKey: string) => ({ outputKey, renameOutput: true });
const several: [RanNode, number[], Record<string, number>][] = [
  [node('if', 2.2), [2, 1], { '0 true': 2, '1 false': 1 }],
  [node('filter', 2.2), [0, 3], { '0 kept': 0, '1 discarded': 3 }],
  [node('removeDuplicates', 2), [1, 2], { '0 kept': 1, '1 discarded': 2 }],
  [node('splitInBatches', 3), [0, 1], { '0 done': 0, '1 loop': 1 }],
  [node('splitInBatches', 2), [1, 0], { '0 loop': 1, '1 done': 0 }],
  [
    node('switch', 3.2, { rules: { values: [rule('A'), rule('B')] }, options: { fallbackOutput: 'extra' } }),
    [1, 0, 2],
    { '0 A': 1, '1 B': 0, '2 Fallback': 2 },
  ],
  [node('switch', 3.2, { mode: 'expression', numberOutputs: 2 }), [0, 1], { '0': 0, '1': 1 }],
  [node('switch', 2, { rules: { rules: [rule('Old'), rule('Older')] } }), [1, 1], { '0 Old': 1, '1 Older': 1 }],
  [node('code', 2, {}, { onError: 'continueErrorOutput' }), [2, 1], { '0': 2, '1 error': 1 }],
  [node('if', 2.2, {}, { onError: 'continueErrorOutput' }), [1, 0, 1], { '0 true': 1, '1 false': 0, '2 error': 1 }],
];

describe.each([
  ['without a catalogue', true],
  ['with one', false],
])('outputs, %s,', (_, bare) => {
  const known = bare ? knownOutputs() : knownOutputs(testCatalogues);

  test.skipIf(!bare && catalogueIsMissing)('are labelled with index and name', () => {
    for (const [of, counts, told] of several) {
      expect(countsOf(outputsOf(main(...counts), of, known)), `${of.type} ${of.typeVersion}`).toEqual(told);
    }
  });
});

describe('outputs', () => {
  const known = knownOutputs();

  test('for discarded items and errors do not count', () => {
    expect(givenOut(outputsOf(main(0, 3), node('filter', 2.2), known))).toBe(0);
    expect(givenOut(outputsOf(main(2, 1), node('if', 2.2), known))).toBe(3);
    expect(givenOut(outputsOf(main(2, 1), node('code', 2, {}, { onError: 'continueErrorOutput' }), known))).toBe(2);
  });

  test('default to the first with items, and to the error output last', () => {
    const way = (of: RanNode, ...counts: number[]) => {
      const found = mainWay(outputsOf(main(...counts), of, known));
      return found && labelOf(found);
    };
    expect(way(node('if', 2.2), 0, 3)).toBe('1 false');
    expect(way(node('filter', 2.2), 0, 3)).toBe('0 kept');
    expect(way(node('code', 2, {}, { onError: 'continueErrorOutput' }), 0, 1)).toBe('1 error');
    expect(way(node('code', 2, {}, { onError: 'continueErrorOutput' }), 2, 1)).toBe('0');
    expect(way(node('code', 2), 2)).toBe('0');
  });

  test('are not listed for a node with one, and for a node with many only if they have items', () => {
    expect(countsOf(outputsOf(main(2), node('code', 2), known))).toBeUndefined();
    expect(countsOf(outputsOf(main(0, 0, 0, 0, 2, 0), node('odd', 1), known))).toEqual({ '4': 2 });
  });
});
