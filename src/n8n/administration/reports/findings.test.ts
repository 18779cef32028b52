import { expect, test } from 'vitest';
import { inShort, sectionsOf } from './findings.ts';

const location = [
  {
    kind: 'node',
    workflowId: 'w1',
    workflowName: 'Orders',
    nodeId: 'n',
    nodeName: 'MySQL',
    nodeType: 'n8n-nodes-base.mySql',
  },
  { kind: 'credential', id: 'c1', name: 'Old' },
  { kind: 'community', nodeType: 'n8n-nodes-x.y', packageUrl: 'https://example.com/n8n-nodes-x' },
];

test('reports become numbered sections with what they found', () => {
  const [first, second] = sectionsOf([
    {
      risk: 'nodes',
      sections: [
        { title: 'A', description: 'd', recommendation: 'r', location },
        { title: 'B', description: '', recommendation: '', settings: { open: true } },
      ],
    },
  ]);
  expect(first).toMatchObject({ section: 'nodes-1', risk: 'nodes', title: 'A', details: {} });
  expect(first?.findings.map(inShort)).toEqual([
    'Orders (w1) node MySQL',
    'Old (c1)',
    'https://example.com/n8n-nodes-x',
  ]);
  expect(second).toMatchObject({ section: 'nodes-2', findings: [], details: { settings: { open: true } } });
});
