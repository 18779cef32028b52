import { expect, test } from 'vitest';
import type { Loaded } from './generator.ts';
import { buildTable, callTable, goalsOf, goalTable, type Result } from './report.ts';
import { besideBuild, targets } from './targets.ts';

const loaded = (cpuMicros: number, p50 = 1): Loaded => ({
  calls: 1000,
  errors: 0,
  perSecond: 1000,
  p50,
  p95: 2,
  p99: 3,
  bytes: 100,
  cpuMicros,
});

function targetOf(name: string) {
  const target = targets.find((known) => known.name === name);
  if (!target) throw new Error(`No target ${name}`);
  return target;
}

/** A target whose rounds took this much CPU per call, and this many milliseconds to list and to start. */
function measured(name: string, rounds: number[]): Result {
  const calls = rounds.map((cpu) => ({
    startMs: 100,
    idleRss: 90 * 1024 * 1024,
    rssAfter: 0,
    eras: { legacy: { one: loaded(0), many: loaded(cpu) } },
  }));
  const lists = rounds.map((ms) => ({ startMs: ms, idleRss: 0, eras: { legacy: loaded(0, ms) } }));
  return { target: targetOf(name), state: 'measured', calls, lists };
}

test('a goal compares round by round and is judged by the median', () => {
  // The machine was three times slower in the second round; the ratio of that round is still fair.
  const goals = goalsOf([measured('raw-stdio', [50, 150, 60]), measured('sluice-stdio', [100, 330, 150])]);
  const cpu = goals.find(({ goal }) => goal.startsWith('CPU a call, stdio, 2025'));
  expect(cpu?.rounds).toEqual([2, 2.2, 2.5]);
  const table = goalTable(goals).split('\n');
  expect(table[2]).toBe(
    '| CPU a call, stdio, 2025-06-18, to the raw aggregator | 2.3 x | 2.20 x | 2.00 x – 2.50 x | pass |',
  );
  expect(table.find((row) => row.startsWith('| ten backends'))).toContain('| 2.20 x | 2.00 x – 2.50 x | **fail** |');
  expect(table.find((row) => row.startsWith('| RSS idle'))).toContain('| 110 MB | 90 MB |');
});

test('goals without a measurement neither pass nor fail', () => {
  const goals = goalsOf([
    measured('sluice-stdio', [100]),
    { target: targetOf('mcp-proxy'), state: 'not available', reason: 'npm said no' },
  ]);
  expect(goals.find(({ goal }) => goal.includes('mcp-proxy'))?.rounds).toEqual([]);
  expect(goalTable(goals)).toContain('| CPU a call, stdio, 2025-06-18, to mcp-proxy | 0.5 x | - |  | not measured |');
});

test('a target without figures keeps its row, with the reason on one line', () => {
  const reason = 'It ended with 1.\nLast output:\nError: a | b';
  const table = callTable([{ target: targetOf('sluice-http'), state: 'failed', reason }]);
  expect(table.split('\n')[2]).toBe('| **Sluice → HTTP** | failed: It ended with 1. |  |  |  |  |  |');
});

test('another build is measured just before this one, and this one is judged by its spread', () => {
  const [other, own] = besideBuild('/old', [targetOf('sluice-stdio')]);
  expect([other?.name, own?.name]).toEqual(['sluice-stdio-build', 'sluice-stdio']);
  const before = { ...measured('sluice-stdio', [70, 100, 80]), target: other ?? targetOf('sluice-stdio') };
  expect(buildTable([before, measured('sluice-stdio', [90, 95, 110])]).split('\n')[2]).toBe(
    '| sluice-stdio, 2025-06-18 | 80 (70 – 100) | 95 (90 – 110) | 1.19 x | within |',
  );
  expect(buildTable([before, measured('sluice-stdio', [101])])).toContain('**above**');
});
