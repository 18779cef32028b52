import { expect, test } from 'vitest';
import type { Drawing, Run } from '../drawing/shapes.ts';
import type { Finding } from './answers.ts';
import { drawnWorkflow } from './drawing-model.ts';

type Node = Drawing['nodes'][number];

const node = (name: string, x: number, more: Partial<Node> = {}): Node => ({
  name,
  type: 'n8n-nodes-base.noOp',
  at: { x, y: 0 },
  parameters: {},
  ...more,
});
const link = (from: string, to: string, output = 0, kind = 'main') => ({ from, to, kind, output, input: 0 });
const ran = (name: string, more: Partial<Run['nodes'][number]> = {}): Run['nodes'][number] => ({
  node: name,
  items: 1,
  outputs: [{ index: 0, kind: 'regular', items: 1 }],
  inputs: [],
  ms: 1,
  runs: 1,
  ...more,
});
const finding = (on: string, severity: Finding['severity']): Finding => ({
  rule: 'a-rule',
  severity,
  node: on,
  path: '/nodes/0',
  message: 'Wrong',
});

test('draws branches with their names, and sub-nodes from below', () => {
  const { edges } = drawnWorkflow(
    {
      nodes: [
        node('If', 0, { outputs: ['true', 'false'] }),
        node('A', 200),
        node('Model', 100, { at: { x: 0, y: 200 } }),
      ],
      links: [link('If', 'A', 1), link('Model', 'A', 0, 'ai_languageModel')],
    },
    undefined,
    [],
  );
  expect(edges[0]).toMatchObject({ label: 'false', way: { index: 1, of: 2 } });
  expect(edges[1]).toMatchObject({ label: 'language model', up: true, dashed: true });
});

test('lays a run over it: what ran, what failed, what did not run, and how many items went each way', () => {
  const { nodes, edges } = drawnWorkflow(
    {
      nodes: [node('If', 0, { outputs: ['true', 'false'] }), node('A', 200), node('B', 400), node('Pinned', 600)],
      links: [link('If', 'A'), link('If', 'B', 1)],
    },
    {
      nodes: [
        ran('If', { items: 3, runs: 2, outputs: [{ index: 0, name: 'true', kind: 'regular', items: 3 }] }),
        ran('A', { failed: true, error: 'no', inputs: [{ input: 0, from: 'If', output: 0, items: 3 }] }),
        ran('Pinned', { pinned: true }),
      ],
    },
    [],
  );
  expect(nodes.map(({ tone, badge, dim }) => [tone, badge, dim])).toEqual([
    ['good', '3 items, 2 runs', false],
    ['bad', 'failed', false],
    [undefined, undefined, true],
    ['info', 'pinned', false],
  ]);
  expect(edges.map(({ label, tone }) => [label, tone])).toEqual([
    ['true · 3 items', 'good'],
    ['false', undefined],
  ]);
});

test('shows findings as badges', () => {
  const { nodes } = drawnWorkflow({ nodes: [node('A', 0), node('B', 200), node('C', 400)], links: [] }, undefined, [
    finding('A', 'error'),
    finding('A', 'warning'),
    finding('B', 'warning'),
    finding('C', 'info'),
  ]);
  expect(nodes.map(({ tone, badge }) => [tone, badge])).toEqual([
    ['bad', '1 error'],
    ['warn', '1 warning'],
    [undefined, undefined],
  ]);
});

test('names links that lead nowhere, and names of objects harm nothing', () => {
  const { edges, dangling } = drawnWorkflow(
    {
      nodes: [node('__proto__', 0), node('constructor', 200)],
      links: [link('__proto__', 'constructor'), link('constructor', 'Nobody')],
    },
    { nodes: [ran('toString')] },
    [],
  );
  expect(edges).toHaveLength(1);
  expect(dangling).toEqual(['constructor → Nobody']);
});

test('leaves the places out if a node is too far away for anybody to find', () => {
  const { nodes } = drawnWorkflow(
    { nodes: [node('A', 0), node('B', 0, { at: { x: 1e7, y: -1e7 } })], links: [] },
    undefined,
    [],
  );
  expect(nodes.every(({ at }) => at === undefined)).toBe(true);
});

test('counts outputs without a name from one, as people do', () => {
  const { edges } = drawnWorkflow(
    { nodes: [node('A', 0, { outputs: ['', ''] }), node('B', 200)], links: [link('A', 'B', 1)] },
    undefined,
    [],
  );
  expect(edges[0]?.label).toBe('2');
});

test('leaves the places out if nodes stand on one another, and puts notes above', () => {
  const note = node('Note', 0, {
    type: 'n8n-nodes-base.stickyNote',
    size: { wide: 100, tall: 1e9 },
    parameters: { content: 'Hi' },
  });
  const { nodes, notes } = drawnWorkflow({ nodes: [node('A', 0), node('B', 0), note], links: [] }, undefined, []);
  expect(nodes.every(({ at }) => at === undefined)).toBe(true);
  expect(notes[0]?.at.y).toBeLessThan(0);
  expect(notes[0]?.tall).toBeLessThan(10_000);
});
