import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.ts';
import type { Rule } from './rule.ts';
import { sarifOf } from './sarif.ts';

const rule: Rule = {
  id: 'some-rule',
  group: 'structure',
  title: 'Something holds.',
  severity: { save: 'info', run: 'warning', publish: 'error' },
  check() {},
};
const finding: Finding = {
  rule: 'some-rule',
  severity: 'warning',
  node: 'A',
  path: '/nodes/3/type',
  message: 'Wrong.',
};
const region = { start: { line: 2, column: 3 }, end: { line: 2, column: 9 } };

const runOf = (findings: readonly Finding[]) =>
  sarifOf([{ uri: 'flows/a.json', findings, region: () => region }], [rule], '1.2.3').runs[0];

describe('SARIF', () => {
  it('contains the rule, the place in the file, the node and the level', () => {
    const run = runOf([finding]);
    expect(run?.tool.driver).toMatchObject({
      name: 'Sluice',
      version: '1.2.3',
      rules: [{ id: 'some-rule', defaultConfiguration: { level: 'warning' }, properties: { group: 'structure' } }],
    });
    expect(run?.results).toMatchObject([
      {
        ruleId: 'some-rule',
        ruleIndex: 0,
        level: 'warning',
        message: { text: 'A: Wrong.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'flows/a.json' },
              region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 9 },
            },
            logicalLocations: [{ name: 'A', fullyQualifiedName: '/nodes/3/type' }],
          },
        ],
      },
    ]);
  });

  it('keeps the fingerprint of a finding when a node is added before it', () => {
    const prints = (path: string) => runOf([{ ...finding, path }])?.results[0]?.partialFingerprints;
    expect(prints('/nodes/3/type')).toEqual(prints('/nodes/4/type'));
    expect(prints('/nodes/3/type')).not.toEqual(prints('/nodes/3/name'));
  });

  it('reports a failed rule as a tool notification', () => {
    const run = runOf([{ rule: 'internal-error', severity: 'info', path: '', message: 'The rule x failed.' }]);
    expect(run?.results).toEqual([]);
    expect(run?.invocations).toMatchObject([
      { executionSuccessful: true, toolExecutionNotifications: [{ descriptor: { id: 'internal-error' } }] },
    ]);
  });

  it('reports info as a note', () => {
    expect(runOf([{ ...finding, severity: 'info' }])?.results[0]?.level).toBe('note');
  });
});
