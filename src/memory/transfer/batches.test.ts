import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesOf, inGroups } from './batches.ts';
import type { NewImport } from './item.ts';

const version = (id: string, supersedes?: string): NewImport => ({
  id,
  text: id,
  ...(supersedes !== undefined && { supersedes }),
});

const idsIn = (lists: readonly (readonly NewImport[])[]) => lists.map((list) => list.map(({ id }) => id));

test('puts the versions of a memory together, an earlier one first', () => {
  const shuffled = [version('b3', 'b2'), { text: 'x' }, version('a'), version('b1'), version('b2', 'b1')];
  expect(idsIn(inGroups(shuffled))).toEqual([['b1', 'b2', 'b3'], [undefined], ['a']]);
  expect(idsIn(inGroups([version('b2', 'gone')]))).toEqual([['b2']]);
});

test('has each memory once, even if versions supersede each other in a circle', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(id, id), { selector: ([one]) => one }), (pairs) => {
      const memories = pairs.map(([one, before]) => version(one, before));
      const grouped = inGroups(memories).flat();
      expect(grouped).toHaveLength(memories.length);
      expect(new Set(grouped)).toEqual(new Set(memories));
    }),
  );
});

test('fills batches with whole groups, and divides only what is too large', () => {
  const most = { memories: 3, characters: 10_000 };
  const pair = (name: string) => [version(`${name}1`), version(`${name}2`, `${name}1`)];
  expect(idsIn(batchesOf([pair('a'), pair('b')], most))).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
  ]);
  const long = { text: 'x'.repeat(9000) };
  expect(batchesOf([[long, long], [version('a')]], most).map((batch) => batch.length)).toEqual([1, 2]);
});
