import { expect, test } from 'vitest';
import type { DataTable } from '../client/data-tables.ts';
import { columnSteps } from './column-changes.ts';

const table: DataTable = {
  id: 't',
  name: 'people',
  columns: ['a', 'b', 'c'].map((name, index) => ({ id: `id-${name}`, name, type: 'string', index })),
};
const steps = (wanted: Partial<Parameters<typeof columnSteps>[1]>) =>
  columnSteps(table, { add: [], rename: [], delete: [], ...wanted });

test('renames are ordered so that every name is free when it is needed', () => {
  const rename = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'c', to: 'd' },
  ];
  expect(steps({ rename }).renamed.map(({ id, to }) => [id, to])).toEqual([
    ['id-c', 'd'],
    ['id-b', 'c'],
    ['id-a', 'b'],
  ]);
});

test('a name becomes free when its column is deleted, and a change of case needs no free name', () => {
  expect(steps({ rename: [{ from: 'a', to: 'b' }], delete: ['b'] })).toEqual({
    deleted: [{ id: 'id-b', name: 'b' }],
    renamed: [{ id: 'id-a', from: 'a', to: 'b' }],
    added: [],
  });
  expect(steps({ rename: [{ from: 'a', to: 'A' }] }).renamed).toHaveLength(1);
  expect(steps({ rename: [{ from: 'a', to: 'a' }] }).renamed).toEqual([]);
});

test('names that would be swapped are refused', () => {
  const rename = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ];
  expect(() => steps({ rename })).toThrow(/swap names/);
});
