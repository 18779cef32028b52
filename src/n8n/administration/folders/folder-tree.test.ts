import { expect, test } from 'vitest';
import { folderIn, isWithin, placed } from './folder-tree.ts';

const folder = (id: string, name: string, parent?: string) => ({
  id,
  name,
  ...(parent !== undefined && { parentFolder: { id: parent } }),
});

const tree = placed([
  folder('3', '2026', '2'),
  folder('1', 'Sales'),
  folder('2', 'Reports', '1'),
  folder('4', 'Reports'),
  folder('5', 'lost', 'gone'),
]);

test('folders have paths, in their order', () => {
  expect(tree.map(({ path }) => path)).toEqual(['Reports', 'Sales', 'Sales/Reports', 'Sales/Reports/2026', 'lost']);
});

test.each([
  ['3', '3'],
  ['2026', '3'],
  ['sales/reports', '2'],
  ['/Sales/Reports/', '2'],
  ['Reports', '4'],
])('%s is the folder %s', (wanted, id) => {
  expect(folderIn(tree, wanted).id).toBe(id);
});

test('a name that several folders have is refused with their places', () => {
  const twins = placed([folder('1', 'a'), folder('2', 'x', '1'), folder('3', 'b'), folder('4', 'x', '3')]);
  expect(() => folderIn(twins, 'x')).toThrow(/2 folders are called "x".*"a\/x" \(2\), "b\/x" \(4\)/);
  expect(() => folderIn(tree, 'Reprots')).toThrow(
    'No folder "Reprots" in this project. Nothing was changed. Did you mean',
  );
});

test('of folders that differ only in case, the exact path is meant', () => {
  const twins = placed([folder('1', 'Reports'), folder('2', 'reports')]);
  expect(folderIn(twins, 'reports').id).toBe('2');
  expect(() => folderIn(twins, 'REPORTS')).toThrow('2 folders are called "REPORTS"');
});

test('what is in a folder is told by ids, not by names', () => {
  const all = placed([folder('1', 'a'), folder('2', 'a'), folder('3', 'b', '1'), folder('4', 'c', '3')]);
  const by = (id: string) => folderIn(all, id);
  expect(isWithin(all, by('1'), by('1'))).toBe(true);
  expect(isWithin(all, by('4'), by('1'))).toBe(true);
  expect(isWithin(all, by('2'), by('1'))).toBe(false);
  expect(isWithin(all, by('4'), by('2'))).toBe(false);
});

test('a ring of parents ends', () => {
  expect(placed([folder('1', 'a', '2'), folder('2', 'b', '1')]).map(({ path }) => path)).toEqual(['a/b', 'b/a']);
});
