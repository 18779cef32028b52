import { describe, expect, it } from 'vitest';
import { flow, node } from '../../../test/validation/case.ts';
import { cpuTime } from '../../../test/validation/cpu-time.ts';
import { tinyCatalogue } from '../../../test/validation/tiny-catalogue.ts';
import { prepare } from './prepare.ts';
import type { NodeView, Subject } from './subject.ts';

const catalogue = tinyCatalogue();

function subjectOf(names: string, arrows: string[] = []): Subject {
  const nodes = names.split(' ').map((name) => node(name, name === 'T' ? 'tiny.trigger' : 'tiny.step', 1));
  return prepare({ workflow: flow(nodes, arrows), catalogue });
}

const upstream = (subject: Subject, name: string) =>
  [...subject.upstream(subject.byName(name) as NodeView)].map((one) => one.name);

describe('a prepared workflow', () => {
  it('knows its connections from both ends', () => {
    const subject = subjectOf('T A B', ['T -> A', 'A:1 -> B:2']);
    const b = subject.byName('B') as NodeView;
    expect(subject.to(b)).toMatchObject([
      { kind: 'main', output: 1, input: 2, targetKind: 'main', pointer: '/connections/A/main/1/0' },
    ]);
    expect(subject.from(b)).toEqual([]);
    expect(subject.edges).toHaveLength(2);
  });

  it('finds all nodes from which data can come, over all branches', () => {
    const subject = subjectOf('T A B C D', ['T -> A', 'T -> B', 'A -> C', 'B -> C', 'C -> D']);
    expect(upstream(subject, 'T')).toEqual([]);
    expect(upstream(subject, 'B')).toEqual(['T']);
    expect(upstream(subject, 'D')).toEqual(['T', 'A', 'B', 'C']);
    const set = subject.upstream(subject.byName('D') as NodeView);
    expect(set.size).toBe(4);
    expect(set.has(subject.byName('D') as NodeView)).toBe(false);
    expect(set.has(subject.byName('A') as NodeView)).toBe(true);
  });

  it('treats every node on a circle as upstream of every other and of itself', () => {
    const subject = subjectOf('T A B C', ['T -> A', 'A -> B', 'B -> A', 'B -> C']);
    expect(upstream(subject, 'A')).toEqual(['T', 'A', 'B']);
    expect(upstream(subject, 'C')).toEqual(['T', 'A', 'B']);
  });

  it('gives a sub-node the data of the node that it serves, over several levels', () => {
    const subject = subjectOf('T A Agent Tool Store After', [
      'T -> A',
      'A -> Agent',
      'Tool -ai_tool-> Agent',
      'Store -ai_vectorStore-> Tool',
      'Agent -> After',
    ]);
    expect(upstream(subject, 'Tool')).toEqual(['T', 'A']);
    expect(upstream(subject, 'Store')).toEqual(['T', 'A']);
    expect(upstream(subject, 'After')).toEqual(['T', 'A', 'Agent']);
  });

  it('handles ten thousand nodes in a row', () => {
    const count = 10_000;
    const names = Array.from({ length: count }, (_, index) => `N${index}`);
    const subject = prepare({
      workflow: flow(
        names.map((name) => node(name, 'tiny.step', 1)),
        names.slice(1).map((name, index) => `N${index} -> ${name}`),
      ),
      catalogue,
    });
    const [first] = subject.nodes as [NodeView];
    const { result, ms } = cpuTime(() => subject.nodes.slice(1).every((one) => subject.upstream(one).has(first)));
    expect(result).toBe(true);
    expect(ms).toBeLessThan(2000);
    expect(subject.upstream(subject.nodes.at(-1) as NodeView).size).toBe(count - 1);
  });

  it('skips entries that are not nodes or connections', () => {
    const whole = flow([node('T', 'tiny.trigger', 1), node('A', 'tiny.step', 1)], ['T -> A']);
    const subject = prepare({
      workflow: {
        ...whole,
        nodes: [...whole.nodes, null, 3, { name: 'X' }, { type: 'tiny.step' }],
        connections: {
          T: {
            main: [
              null,
              'x',
              [null, { node: 'A' }, { node: 'Gone', type: 'main', index: 0 }, { node: 'A', type: 'main', index: -1 }],
            ],
          },
          Gone: { main: [[{ node: 'A', type: 'main', index: 0 }]] },
          A: null,
        },
      },
      catalogue,
    });
    expect(subject.nodes.map(({ name }) => name)).toEqual(['T', 'A']);
    expect(subject.edges).toEqual([]);
  });

  it('allows node names such as constructor', () => {
    const subject = subjectOf('T constructor', ['T -> constructor']);
    expect(subject.byName('toString')).toBeUndefined();
    expect(upstream(subject, 'constructor')).toEqual(['T']);
  });

  it('has no description for an unknown version, and the latest for a missing one', () => {
    const versions = [1, 3, '1', null, undefined].map((typeVersion) => ({ ...node('T', 'tiny.step', 1), typeVersion }));
    const { nodes } = prepare({ workflow: { nodes: versions }, catalogue });
    expect(nodes.map(({ description }) => description !== undefined)).toEqual([true, false, false, true, true]);
  });

  it('collects the expressions, wherever they are', () => {
    const parameters = { text: '=a', list: ['=b', 'c', { 'd/e': '= f' }], none: null, text2: 'x=y' };
    const { nodes } = prepare({ workflow: { nodes: [node('T', 'tiny.step', 1, parameters)] }, catalogue });
    expect(nodes[0]?.expressions().map(({ text, pointer }) => [text, pointer])).toEqual([
      ['=a', '/nodes/0/parameters/text'],
      ['=b', '/nodes/0/parameters/list/0'],
      ['= f', '/nodes/0/parameters/list/2/d~1e'],
    ]);
  });
});
