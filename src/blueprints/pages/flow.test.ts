import { expect, test } from 'vitest';
import { flowOfOutline, flowOfPlan, flowOfRun, plannedWork, stateOf } from './flow.ts';
import type { Bar } from './shapes.ts';

const outline = (step: string) => ({ step, kind: 'tool', does: 'x__y' });
const bar = (more: Partial<Bar> = {}): Bar => ({
  phase: 'do',
  state: 'done',
  started_at: '2026-01-01T00:00:00.000Z',
  attempts: 1,
  ...more,
});

test('a long chain turns at the end of each line, and goes back on the next', () => {
  const { nodes, edges, lines } = flowOfOutline(['a', 'b', 'c', 'd', 'e'].map(outline), 2);
  const [first, second, third, fourth, fifth] = nodes.map(({ at }) => at);
  expect(lines).toBe(3);
  expect([first?.y, second?.y]).toEqual([0, 0]);
  expect(third?.x).toBe(second?.x);
  expect(fourth?.x).toBe(first?.x);
  expect(fifth?.x).toBe(first?.x);
  expect(edges.map(({ from, to, direct }) => [from, to, direct])).toEqual([
    ['a', 'b', false],
    ['b', 'c', true],
    ['c', 'd', true],
    ['d', 'e', true],
  ]);
});

test('marks say what is special about a step', () => {
  const steps = [
    { ...outline('a'), for_each: '[1]', undo: 'x__z' },
    { ...outline('b'), when: 'x' },
    { step: 'c', kind: 'approval', does: 'Go?', confirm: 'person' as const },
  ];
  const { nodes, edges } = flowOfOutline(steps, 3);
  expect(nodes.map(({ badge, detail }) => [badge, detail])).toEqual([
    ['for each · ↩ undo', 'x__y'],
    [undefined, 'x__y'],
    ['person', 'asks: Go?'],
  ]);
  expect(edges.map(({ label }) => label)).toEqual(['if', undefined]);
});

test('a plan shows what is skipped, how often, and what it calls', () => {
  const { nodes, edges } = flowOfPlan(
    [
      { step: 'setup', kind: 'blueprint', does: { blueprint: 'inner', inputs: {} } },
      { step: 'setup.db', kind: 'tool', does: { tool: 'x__y' }, items: 300, for_each: [], undo: {} },
      { step: 'no', kind: 'tool', does: 'cut off…', skipped: true, when: 'false' },
      { step: 'act', kind: 'tool', does: { tool: 'x__act' }, confirm: 'deploy' },
    ],
    4,
  );
  expect(nodes.map(({ badge, tone }) => [badge, tone])).toEqual([
    [undefined, undefined],
    ['× 300 · ↩', undefined],
    ['skipped', 'off'],
    ['confirm', 'warn'],
  ]);
  expect(edges[0]).toMatchObject({ label: 'calls', dashed: true });
  expect(nodes[2]?.detail).toBe('cut off…');
});

test('a run shows how each step and its undo went', () => {
  const steps = [
    { ...outline('done'), bars: [bar()] },
    { ...outline('some'), bars: [bar({ state: 'running' }), bar({ item: 0 })], items: { done: 1, running: 2 } },
    { ...outline('back'), bars: [bar(), bar({ phase: 'undo' })] },
    { ...outline('stuck'), bars: [bar(), bar({ phase: 'undo' }), bar({ phase: 'undo', state: 'failed', item: 1 })] },
    { ...outline('later'), bars: [] },
  ];
  expect(flowOfRun(steps, 9).nodes.map(({ badge, tone }) => [badge, tone])).toEqual([
    ['done', 'good'],
    ['running · 1/3', 'info'],
    ['undone', 'off'],
    ['undo failed', 'bad'],
    ['pending', 'off'],
  ]);
  expect(stateOf({ bars: [bar({ item: 3, state: 'failed' })] })).toEqual({ state: 'pending' });
});

test('work of any shape has words', () => {
  expect(plannedWork({ ms: 1500 })).toBe('1.5 s');
  expect(plannedWork({ tool: { not: 'a text' } })).toBe('');
  expect(plannedWork(null)).toBe('');
});
