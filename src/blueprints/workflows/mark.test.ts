import { expect, test } from 'vitest';
import { type Content, hashOf, markOf, marked } from './mark.ts';
import { shippedWorkflows } from './shipped.ts';

const given: Content = {
  name: 'W',
  nodes: [
    { id: '1', name: 'In', type: 'n8n-nodes-base.webhook', position: [0, 0], parameters: { path: 'a' } },
    { id: '2', name: 'Out', type: 'n8n-nodes-base.noOp' },
  ],
  connections: { In: { main: [[{ node: 'Out', type: 'main', index: 0 }]] } },
};
const installed: Content = { ...given, nodes: marked('w', given) };

test('a workflow that was installed carries its mark', () => {
  expect(markOf(installed)).toEqual({ workflow: 'w', hash: hashOf(given) });
  expect(hashOf(installed)).toBe(hashOf(given));
});

test('what n8n adds and where nodes are does not count as a change', () => {
  const nodes = installed.nodes.map((one) => ({ ...one, position: [7, 7], webhookId: 'new' })).toReversed();
  expect(hashOf({ ...installed, nodes })).toBe(hashOf(given));
});

test.each([
  ['another name', { ...installed, name: 'Mine' }],
  ['other connections', { ...installed, connections: {} }],
  ['another parameter', { ...installed, nodes: installed.nodes.map((one) => ({ ...one, parameters: { path: 'b' } })) }],
  ['a disabled node', { ...installed, nodes: installed.nodes.map((one) => ({ ...one, disabled: true })) }],
])('%s is a change', (_, changed) => {
  expect(hashOf(changed)).not.toBe(hashOf(given));
});

test('a duplicate, whose nodes have other ids, carries no mark', () => {
  expect(markOf({ ...installed, nodes: installed.nodes.map((one) => ({ ...one, id: crypto.randomUUID() })) })).toBe(
    undefined,
  );
});

test.each(['sluice-blueprints:', 'sluice-blueprints:{', 'sluice-blueprints:{"workflow":1}', 'nothing'])(
  'notes %j are no mark',
  (notes) => {
    expect(markOf({ ...given, nodes: [{ id: 'sluice-w', name: 'In', type: 't', notes }] })).toBe(undefined);
  },
);

test('the shipped workflows can be read, and unknown ones are named', async () => {
  expect((await shippedWorkflows([])).map(({ file }) => file)).toEqual(['health-report']);
  await expect(shippedWorkflows(['health'])).rejects.toThrow('Did you mean health-report?');
  await expect(shippedWorkflows(['../package'])).rejects.toThrow('No workflow');
});
