import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileJson, hostileName, hostileObject } from '../../test/support/hostile.ts';
import { connectionsOf } from '../../test/validation/case.ts';
import { tinyCatalogue } from '../../test/validation/tiny-catalogue.ts';
import type { Rule } from './rule.ts';
import { validateWorkflow } from './validate.ts';

const catalogue = tinyCatalogue();

function workflow(count = 2) {
  const nodes = Array.from({ length: count }, (_, index) => ({
    name: `N${index}`,
    type: index === 0 ? 'tiny.trigger' : 'tiny.step',
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
  }));
  return { name: 'W', nodes, connections: connectionsOf(['N0 -> N1']), settings: {} };
}

const everyNode: Rule = {
  id: 'every-node',
  group: 'lint',
  title: 'Reports every node.',
  severity: { run: 'warning', publish: 'error' },
  check({ nodes }, report) {
    for (const { name, pointer } of nodes.toReversed()) report({ node: name, path: pointer, message: 'A node.' });
  },
};

const failing: Rule = {
  ...everyNode,
  id: 'failing',
  check(_, report) {
    report({ path: '/name', message: 'Before.' });
    throw new Error('out of luck');
  },
};

describe('validating', () => {
  it('continues when a rule fails, and says which', () => {
    const { findings, valid } = validateWorkflow(workflow(), catalogue, {}, [failing, everyNode]);
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'internal-error ',
      'failing /name',
      'every-node /nodes/0',
      'every-node /nodes/1',
    ]);
    expect(findings[0]).toMatchObject({ severity: 'info', message: expect.stringContaining('failing') });
    expect(valid).toBe(true);
  });

  it('judges by purpose, and skips rules without a severity for it', () => {
    const countsFor = (purpose: 'save' | 'run' | 'publish') =>
      validateWorkflow(workflow(), catalogue, { purpose }, [everyNode]).counts;
    expect(countsFor('save')).toEqual({ error: 0, warning: 0, info: 0 });
    expect(countsFor('run')).toEqual({ error: 0, warning: 2, info: 0 });
    expect(countsFor('publish')).toEqual({ error: 2, warning: 0, info: 0 });
  });

  it.each([
    ['off by id', { 'every-node': 'off' }, 0, undefined],
    ['off by group', { lint: 'off' }, 0, undefined],
    ['another severity', { lint: 'error' }, 2, 'error'],
    ['an id overrides its group', { lint: 'off', 'every-node': 'info' }, 2, 'info'],
  ] as const)('applies rule switches: %s', (_, rules, count, severity) => {
    const { findings } = validateWorkflow(workflow(), catalogue, { rules }, [everyNode]);
    expect(findings).toHaveLength(count);
    expect(findings[0]?.severity).toBe(severity);
  });

  it('lets a rule lower its severity, but never raise it', () => {
    const mild: Rule = { ...everyNode, check: (_, report) => report({ path: '', message: 'x', severity: 'info' }) };
    const hard: Rule = { ...everyNode, check: (_, report) => report({ path: '', message: 'x', severity: 'error' }) };
    const severity = (rule: Rule) => validateWorkflow(workflow(), catalogue, {}, [rule]).findings[0]?.severity;
    expect(severity(mild)).toBe('info');
    expect(severity(hard)).toBe('warning');
  });

  it('runs only the requested groups', () => {
    expect(validateWorkflow(workflow(), catalogue, { only: ['structure'] }, [everyNode]).findings).toEqual([]);
  });

  it('sorts by place: node 10 after node 9', () => {
    const { findings } = validateWorkflow(workflow(12), catalogue, {}, [everyNode]);
    expect(findings.map(({ path }) => path)).toEqual(Array.from({ length: 12 }, (_, index) => `/nodes/${index}`));
  });

  it('reports the same finding once', () => {
    const twice: Rule = { ...everyNode, check: (s, report) => [1, 2].forEach(() => everyNode.check(s, report)) };
    expect(validateWorkflow(workflow(), catalogue, {}, [twice]).findings).toHaveLength(2);
  });

  it('keeps one of two rules that report the same cause', () => {
    const first: Rule = { ...everyNode, id: 'first', supersedes: ['every-node'] };
    const said = (rules: Rule[], options = {}) =>
      validateWorkflow(workflow(), catalogue, options, rules).findings.map(({ rule }) => rule);
    expect(said([everyNode, first])).toEqual(['first', 'first']);
    expect(said([everyNode, first], { rules: { first: 'off' } })).toEqual(['every-node', 'every-node']);
  });

  it('keeps the most severe findings up to the limit, and counts all', () => {
    const grave: Rule = {
      ...everyNode,
      id: 'grave',
      severity: 'error',
      check: (_, report) => report({ path: '/settings', message: 'x' }),
    };
    const { findings, counts } = validateWorkflow(workflow(5), catalogue, { limit: 2 }, [everyNode, grave]);
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['every-node /nodes/0', 'grave /settings']);
    expect(counts).toEqual({ error: 1, warning: 5, info: 0 });
  });

  it('reports only not-a-workflow for other input, even if that rule is off', () => {
    const { findings } = validateWorkflow(null, catalogue, { rules: { structure: 'off' }, only: ['lint'] });
    expect(findings.map(({ rule }) => rule)).toEqual(['not-a-workflow']);
  });

  it('shortens messages with very long names', () => {
    const name = 'n'.repeat(1_000_000);
    const wordy: Rule = {
      ...everyNode,
      check: (_, report) => report({ path: '/nodes/0', node: name, message: `"${name}" is wrong. Fix it.` }),
    };
    const [finding] = validateWorkflow(workflow(), catalogue, {}, [wordy]).findings;
    expect(finding?.message).toMatch(/^"nnn.*…n.*" is wrong\. Fix it\.$/);
    expect(JSON.stringify(finding).length).toBeLessThan(4000);
  });

  it('does not change its input', () => {
    const given = workflow();
    const before = structuredClone(given);
    validateWorkflow(given, catalogue);
    expect(given).toEqual(before);
  });
});

describe('a workflow with names that every object has', () => {
  const node = fc.record({
    name: hostileName,
    type: fc.oneof(fc.constantFrom('tiny.trigger', 'tiny.step', 'constructor', '__proto__'), hostileName),
    typeVersion: fc.oneof(fc.constant(1), hostileJson),
    position: fc.constant([0, 0]),
    parameters: fc.oneof(hostileObject, hostileJson),
    credentials: fc.oneof(hostileObject, hostileJson),
  });
  const link = fc.record({ node: hostileName, type: fc.oneof(fc.constant('main'), hostileName), index: fc.nat(3) });
  const kinds = fc.dictionary(fc.oneof(fc.constant('main'), hostileName), fc.array(fc.array(link, { maxLength: 2 })));
  const hostile = fc
    .record({
      name: hostileName,
      nodes: fc.array(node, { maxLength: 5 }),
      connections: fc.oneof(fc.dictionary(hostileName, kinds, { maxKeys: 4 }), hostileJson),
      pinData: fc.oneof(hostileObject, hostileJson),
      settings: fc.oneof(hostileObject, hostileJson),
    })
    .map((given) => JSON.parse(JSON.stringify(given)) as unknown);

  it('does not make any rule fail', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 8, arbitrary: hostile }, { weight: 1, arbitrary: hostileJson }), (given) => {
        const { findings } = validateWorkflow(given, catalogue);
        expect(findings.filter(({ rule }) => rule === 'internal-error')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
