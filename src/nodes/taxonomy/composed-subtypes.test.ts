import { expect, test } from 'vitest';
import { composedSubtypes } from './composed-subtypes.ts';
import { curatedSpecs } from '../curated/registry.ts';

test('the list of composed subtypes matches the curated specs', () => {
  const composed = [...curatedSpecs].filter(([, { names }]) => !names);
  expect([...composedSubtypes]).toEqual(composed.map(([key, { nodes }]) => [key, nodes[0]]));
});
