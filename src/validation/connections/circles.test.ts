import { describe, expect, it } from 'vitest';
import { connectionsOf } from '../../../test/validation/case.ts';
import { tinyCatalogue } from '../../../test/validation/tiny-catalogue.ts';
import { circlesAlong } from './circles.ts';
import { prepare } from '../subject/prepare.ts';

function circlesOf(names: readonly string[], arrows: readonly string[]): string[] {
  const nodes = names.map((name) => ({ name, type: 'tiny.step', typeVersion: 1, position: [0, 0], parameters: {} }));
  const { edges } = prepare({ workflow: { nodes, connections: connectionsOf(arrows) }, catalogue: tinyCatalogue() });
  return circlesAlong(edges).map((circle) => circle.map(({ name }) => name).join(''));
}

describe('circles', () => {
  it('are groups of nodes that lead back to themselves', () => {
    expect(circlesOf(['A', 'B', 'C'], ['A -> B', 'B -> C', 'A -> C'])).toEqual([]);
    expect(circlesOf(['A', 'B', 'C'], ['A -> B', 'B -> C', 'C -> B'])).toEqual(['BC']);
    expect(circlesOf(['A', 'B'], ['A -> B', 'B -> B'])).toEqual(['B']);
    expect(circlesOf(['D', 'C', 'B', 'A'], ['A -> B', 'B -> A', 'C -> D', 'D -> C', 'A -> C'])).toEqual(['DC', 'BA']);
    expect(circlesOf(['A', 'B', 'C'], ['A -> B', 'B -> A', 'B -> C', 'C -> B'])).toEqual(['ABC']);
  });

  it('may be ten thousand nodes long', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `N${index}`);
    const arrows = names.map((name, index) => `${name} -> ${names[(index + 1) % names.length]}`);
    expect(circlesOf(names, arrows)).toHaveLength(1);
  });
});
