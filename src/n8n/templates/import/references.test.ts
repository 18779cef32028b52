import { describe, expect, it } from 'vitest';
import type { Place } from '../../mapping/places.ts';
import type { Here } from './here.ts';
import { placeKey, resolved } from './references.ts';

const here: Here = {
  called: async () => [],
  workflow: async (id) => ({ id, name: 'Something of this n8n' }),
  tables: async () => [],
  variables: async () => undefined,
};

describe('references of a template', () => {
  it.each([
    ['12', 'none'],
    ['aB3xY9kLmN0pQrSt', { id: 'aB3xY9kLmN0pQrSt', name: 'Something of this n8n' }],
  ])('by id %s lead here only if no other n8n can have that id', async (id, target) => {
    const place = { kind: 'sub-workflow', id, node: 'Call', where: 'parameters.workflowId' } as const satisfies Place;
    const { targets, toFill } = await resolved([place], { here, chosen: new Map(), isLinked: () => false });
    expect(targets.get(placeKey(place))).toEqual(target);
    expect(toFill).toHaveLength(target === 'none' ? 1 : 0);
  });
});
