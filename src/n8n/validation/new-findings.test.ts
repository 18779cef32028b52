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

describe('what a change brings in', () => {
  it('is not what was there', () => {
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

  it('knows a node by its id, wherever it stands and however it is called', () => {
    expect(fresh([[b, { ...a, name: 'Z' }], ['/nodes/1/type']], [[a, b], ['/nodes/0/type']])).toEqual([]);
    expect(fresh([[{ ...a, name: 'Z' }], ['/connections/Z/main/0/1']], [[a], ['/connections/A/main/0/0']])).toEqual([]);
  });

  it('counts: a second one of the same kind is new', () => {
    const twice = ['/connections/A/main/0/0', '/connections/A/main/0/1'];
    expect(fresh([[a], twice], [[a], ['/connections/A/main/0/0']])).toEqual(['/connections/A/main/0/1']);
  });

  it('tells rules apart', () => {
    const now = { workflow: { nodes: [a] }, findings: [finding('/settings', 'other')] };
    expect(newFindings(now, { workflow: { nodes: [a] }, findings: [finding('/settings')] })).toHaveLength(1);
  });
});
