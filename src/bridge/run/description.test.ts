import { expect, test } from 'vitest';
import { describeRun } from './description.ts';
import { keptOf, readKept } from './kept.ts';

const trigger = (notes: string[] = [], own?: string) => ({
  node: { name: 'In', type: 'n8n-nodes-base.webhook', parameters: {}, ...(own !== undefined && { notes: own }) },
  notes,
});

test('a note that begins with mcp: describes a tool, then the description of the workflow, then the note of its trigger', () => {
  const workflow = { name: 'Orders', description: 'Takes orders.' };
  expect(describeRun(workflow, trigger(['About', '## MCP: Places an order.'], 'x'))).toBe('Places an order.');
  expect(describeRun(workflow, trigger(['About'], 'x'))).toBe('Takes orders.');
  expect(describeRun({ name: 'Orders' }, trigger([], 'Call me.'))).toBe('Call me.');
  expect(describeRun({ name: 'Orders' }, trigger())).toBe('Runs the n8n workflow "Orders" and returns its result.');
});

test('stores only the types of pinned data, and reads them back', () => {
  const pinned = [{ json: { headers: { authorization: 'Bearer s3cret' }, body: { card: '4111', n: 7 }, query: {} } }];
  const found = {
    id: '1',
    name: 'Orders',
    tags: [],
    published: true,
    archived: false,
    aiTools: [],
    trigger: { ...trigger(), pinned },
  };
  const text = JSON.stringify([keptOf(found)]);
  expect(text).not.toMatch(/s3cret|4111/);
  expect(readKept(JSON.parse(text))).toMatchObject([{ trigger: { pinned: [{ json: { body: { card: '', n: 0 } } }] } }]);
  expect(readKept([{ id: 1 }, null, 'x'])).toEqual([]);
  const older = { ...keptOf(found), trigger: { kind: 'webhook', ...trigger() } };
  expect(readKept([older])).toMatchObject([{ id: '1', trigger: trigger() }]);
});
