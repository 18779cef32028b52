import { describe, expect, test } from 'vitest';
import { endingOf } from './ending.ts';
import type { Item, NodeRun, RanNode, RunData } from './run-data.ts';

const items = (count: number): Item[] => Array.from({ length: count }, (_, n) => ({ json: { n } }));

let order = 0;
/** From which runs its input came: node, run and output. */
type From = readonly (readonly [node: string, run?: number, output?: number])[];
const ran = (counts: number[], from: From = []): NodeRun => ({
  executionIndex: order++,
  data: { main: counts.map(items) },
  source: from.map(([previousNode, previousNodeRun = 0, previousNodeOutput = 0]) => ({
    previousNode,
    previousNodeRun,
    previousNodeOutput,
  })),
});

const type = (name: string, end: string, more: Partial<RanNode> = {}): [string, RanNode] => [
  name,
  { name, type: `n8n-nodes-base.${end}`, ...more },
];
const errors = { onError: 'continueErrorOutput' };

function end(nodes: Record<string, NodeRun[]>, types: [string, RanNode][] = []) {
  const run: RunData = { nodes, pinned: [] };
  const ending = endingOf(run, new Map(types));
  return ending && [ending.node, ending.way.index, ending.way.items.length, ...ending.after.map(({ node }) => node)];
}

describe('a run ends', () => {
  test('at the last node of a line, and not at a Filter that kept nothing', () => {
    expect(end({ Go: [ran([1])], Set: [ran([2], [['Go']])] })).toEqual(['Set', 0, 2]);
    expect(
      end({ Go: [ran([1])], Set: [ran([3], [['Go']])], Filter: [ran([0, 3], [['Set']])] }, [type('Filter', 'filter')]),
    ).toEqual(['Set', 0, 3, 'Filter']);
    expect(end({ Go: [ran([0])] })).toBeUndefined();
    expect(end({})).toBeUndefined();
  });

  test('at the later of two branches, and at one that leads nowhere', () => {
    const both = { Go: [ran([2])], If: [ran([1, 1], [['Go']])] };
    expect(end({ ...both, Yes: [ran([1], [['If']])], No: [ran([1], [['If', 0, 1]])] }, [type('If', 'if')])).toEqual([
      'No',
      0,
      1,
    ]);
    expect(end({ Go: [ran([2])], If: [ran([0, 2], [['Go']])] }, [type('If', 'if')])).toEqual(['If', 1, 2]);
  });

  test('at a Merge, which has its input from several nodes', () => {
    const two = { Go: [ran([1])], A: [ran([1], [['Go']])], B: [ran([1], [['Go']])] };
    expect(end({ ...two, Merge: [ran([2], [['A'], ['B']])] })).toEqual(['Merge', 0, 2]);
  });

  test('where a loop is done, not in its body', () => {
    const loop = type('Loop', 'splitInBatches', { typeVersion: 3 });
    const Go = [ran([2])];
    const first = ran([0, 1], [['Go']]);
    const body = ran([1], [['Loop', 0, 1]]);
    const second = ran([0, 1], [['Work', 0]]);
    const again = ran([1], [['Loop', 1, 1]]);
    const done = ran([2, 0], [['Work', 1]]);
    const looped = { Go, Loop: [first, second, done], Work: [body, again] };
    expect(end(looped, [loop])).toEqual(['Loop', 0, 2]);
    expect(end({ ...looped, End: [ran([2], [['Loop', 2, 0]])] }, [loop])).toEqual(['End', 0, 2]);
  });

  test('not on an error branch if items took the regular branch', () => {
    const risky = type('Risky', 'code', errors);
    const split = { Go: [ran([3])], Risky: [ran([2, 1], [['Go']])] };
    const rescue = () => ({ Rescue: [ran([1], [['Risky', 0, 1]])], Report: [ran([1], [['Rescue']])] });
    expect(end({ ...split, Fine: [ran([2], [['Risky']])], ...rescue() }, [risky])).toEqual(['Fine', 0, 2]);
    expect(end({ ...split, ...rescue() }, [risky])).toEqual(['Risky', 0, 2]);
    expect(end({ Go: [ran([1])], Risky: [ran([0, 1], [['Go']])], ...rescue() }, [risky])).toEqual(['Report', 0, 1]);
  });

  test('where both branches meet again', () => {
    const nodes = { Go: [ran([2])], Risky: [ran([1, 1], [['Go']])] };
    const Merge = [ran([2], [['Risky'], ['Risky', 0, 1]])];
    expect(end({ ...nodes, Merge }, [type('Risky', 'code', errors)])).toEqual(['Merge', 0, 2]);
  });

  test('never at a sub-node, even if it ran last', () => {
    const model = { executionIndex: 99, data: { ai_languageModel: [items(1)] }, source: [{ previousNode: 'Agent' }] };
    expect(end({ Go: [ran([1])], Agent: [ran([1], [['Go']])], Model: [model] })).toEqual(['Agent', 0, 1]);
  });
});
