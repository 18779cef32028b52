import { describe, expect, it } from 'vitest';
import type { Finding } from '../../validation/finding.ts';
import { newFindings } from './new-findings.ts';

const finding = (path: string, rule = 'r'): Finding => ({ rule, severity: 'error', path, message: 'm' });
const a = { id: '1', name: 'A' };
const b = { id: '2', name: 'B' };

const fresh = (now: [(typeof a)[], string[]], before: [(typeof a)[], string[]]) =>
  newFindings(
    { workflow: { nodes: now[0] }, findings: now[1].map((path) => finding(path)) },
    { workflow: { nodes: before[0] }, findings: before[1].map((path) => finding(path)) },
  ).map(({ path }) => path);

describe('new findings', () => {
  it('do not include old ones', () => {
    expect(
      fresh(
        [
          [a, b],
          ['/nodes/0/type', '/nodes/1/type'],
        ],
        [[a, b], ['/nodes/0/type']],
      ),
    ).toEqual(['/nodes/1/type']);
  });

  it('recognise a node by its id after a move or a rename', () => {
    expect(fresh([[b, { ...a, name: 'Z' }], ['/nodes/1/type']], [[a, b], ['/nodes/0/type']])).toEqual([]);
    expect(fresh([[{ ...a, name: 'Z' }], ['/connections/Z/main/0/1']], [[a], ['/connections/A/main/0/0']])).toEqual([]);
  });

  it('include a second finding of the same kind', () => {
    const twice = ['/connections/A/main/0/0', '/connections/A/main/0/1'];
    expect(fresh([[a], twice], [[a], ['/connections/A/main/0/0']])).toEqual(['/connections/A/main/0/1']);
  });

  it('distinguish rules', () => {
    const now = { workflow: { nodes: [a] }, findings: [finding('/settings', 'other')] };
    expect(newFindings(now, { workflow: { nodes: [a] }, findings: [finding('/settings')] })).toHaveLength(1);
  });
});
