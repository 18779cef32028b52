import { expect, test } from 'vitest';
import { withoutExportedKeys } from './exported-keys.ts';

const node = { name: 'In', type: 't', position: [0, 0], parameters: {} };
const workflow = { name: 'A', nodes: [node], connections: {}, settings: {}, pinData: {} };

test('removes the keys that n8n adds to an export, and lists them', () => {
  const exported = { ...workflow, id: '1', meta: {}, tags: [], nodes: [{ ...node, issues: {} }] };
  const dropped = ['id', 'meta', 'tags', 'nodes[].issues'];
  expect(withoutExportedKeys(exported)).toEqual({ document: workflow, dropped });
  expect(withoutExportedKeys(JSON.stringify({ workflow: exported }))).toEqual({ document: workflow, dropped });
});

test('keeps everything else, even misspelt keys', () => {
  const odd = { ...workflow, conections: {}, nodes: [{ ...node, paramters: {} }] };
  expect(withoutExportedKeys(odd)).toEqual({ document: odd, dropped: [] });
});

test.each([undefined, null, 5, 'not JSON', [workflow, workflow]])(
  'returns input that is not a workflow unchanged: %j',
  (given) => {
    expect(withoutExportedKeys(given)).toEqual({ document: given, dropped: [] });
  },
);
