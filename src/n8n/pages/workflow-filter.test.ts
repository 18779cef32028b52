import { expect, test } from 'vitest';
import { fitting, tagsOf } from './workflow-filter.ts';

const workflows = [
  { id: 'b1', name: 'Monthly report', active: true, nodes: 3, tags: ['finance', 'mcp'] },
  { id: 'a2', name: 'Intake', active: false, draft: true, nodes: 2 },
  { id: 'c3', name: 'archive of reports', active: false, nodes: 9, tags: ['old'] },
];
const ids = (wanted: Parameters<typeof fitting>[1]) => fitting(workflows, wanted).map(({ id }) => id);

test('finds by words of the name, tag or id, and by state', () => {
  expect(ids({})).toEqual(['c3', 'a2', 'b1']);
  expect(ids({ words: 'REPORT fin' })).toEqual(['b1']);
  expect(ids({ words: 'a2' })).toEqual(['a2']);
  expect(ids({ state: 'live' })).toEqual(['b1']);
  expect(ids({ state: 'draft' })).toEqual(['a2']);
  expect(ids({ tag: 'old' })).toEqual(['c3']);
});

test('keeps a chosen tag in the list', () => {
  expect(tagsOf(workflows, 'gone')).toEqual(['finance', 'gone', 'mcp', 'old']);
});
