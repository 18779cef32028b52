import { expect, test } from 'vitest';
import { composedSubtypes } from './composed-subtypes.ts';
import { curatedSpecs } from '../curated/registry.ts';

test('the subtypes that are no single node are those whose specifications say so, with the same node', () => {
  const composed = [...curatedSpecs].filter(([, { names }]) => !names);
  expect([...composedSubtypes]).toEqual(composed.map(([key, { nodes }]) => [key, nodes[0]]));
});
