import { expect, test } from 'vitest';
import { nodesNaming, renamedReferences } from './references.ts';

const renamed = (text: string, from = 'Old', to = 'New') => renamedReferences({ text }, from, to).text;

test.each([
  ["={{ $('Old').item.json.id }}", "={{ $('New').item.json.id }}"],
  ['={{ $("Old").first().json }}', '={{ $("New").first().json }}'],
  ['={{ $(`Old`).all() }}', '={{ $(`New`).all() }}'],
  ['={{ $node["Old"].json.a }}', '={{ $node["New"].json.a }}'],
  ["={{ $node['Old'].json.a }}", "={{ $node['New'].json.a }}"],
  ['={{ $node.Old.json.a }}', '={{ $node["New"].json.a }}'],
  ['={{ $items("Old", 0)[0].json }}', '={{ $items("New", 0)[0].json }}'],
  ["const a = $( 'Old' ).all();\nreturn $('Old').first();", "const a = $( 'New' ).all();\nreturn $('New').first();"],
])('renames in %s', (text, after) => {
  expect(renamed(text)).toBe(after);
});

test.each([
  "={{ $('Older').item }}",
  '={{ $json.Old }}',
  'Old',
  "={{ x('Old') }}",
  '={{ $nodes["Old"] }}',
  '={{ $node.Older.json }}',
])('leaves %s unchanged', (text) => {
  expect(renamed(text)).toBe(text);
});

test('escapes quotes and backslashes in names', () => {
  expect(renamed(`={{ $('It\\'s').json }}`, "It's", 'a"b\'c\\d')).toBe(`={{ $('a"b\\'c\\\\d').json }}`);
  expect(renamed('={{ $node.Old.json }}', 'Old', 'say "x"')).toBe('={{ $node["say \\"x\\""].json }}');
});

test('renames references with an underscore only in Python code', () => {
  expect(renamedReferences({ pythonCode: "_('Old').all()" }, 'Old', 'New')).toEqual({ pythonCode: "_('New').all()" });
  expect(renamedReferences({ text: "_('Old').all()" }, 'Old', 'New')).toEqual({ text: "_('Old').all()" });
});

test('searches nested parameters, and changes only strings', () => {
  const parameters = { a: [{ b: "={{ $('Old').x }}", c: 1, d: null, e: true }] };
  expect(renamedReferences(parameters, 'Old', 'New')).toEqual({
    a: [{ b: "={{ $('New').x }}", c: 1, d: null, e: true }],
  });
});

test('lists the nodes that refer to a node', () => {
  const nodes = [
    { name: 'A', type: 't', parameters: { x: "={{ $('Old').y }}" } },
    { name: 'B', type: 't', parameters: { x: 'Old' } },
  ];
  expect(nodesNaming(nodes, 'Old')).toEqual(['A']);
});
