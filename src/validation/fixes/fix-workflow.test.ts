import { describe, expect, it } from 'vitest';
import { catalogueIsMissing, testCatalogue } from '../../../test/support/catalogue.ts';
import { connectionsOf, flow, node } from '../../../test/validation/case.ts';
import { fixWorkflow } from './fix-workflow.ts';

describe.skipIf(catalogueIsMissing)('fixing a workflow', () => {
  const catalogue = catalogueIsMissing ? undefined : testCatalogue();
  const fixed = (given: unknown) => fixWorkflow(given, catalogue as never);

  const misplaced = () =>
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', onError: 'x' }, { onError: 'stopWorkflow' }),
        node('Again', 'httpRequest', 4.2, { url: 'https://example.com', notes: 'x' }, { notes: 'y' }),
      ],
      ['Start -> Fetch', 'Fetch -> Again'],
    );

  it('applies all safe fixes and validates the result', () => {
    const given = misplaced();
    const { workflow, applied, before, after } = fixed(given);
    expect(before.counts.error).toBe(2);
    expect(applied.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'misplaced-node-setting /nodes/1/parameters/onError',
      'misplaced-node-setting /nodes/2/parameters/notes',
    ]);
    expect(after).toMatchObject({ valid: true, counts: { error: 0 } });
    expect(workflow?.nodes).toMatchObject([{}, { parameters: { url: 'https://example.com' } }, {}]);
    expect(given).toEqual(misplaced());
  });

  it('does not apply fixes that change what n8n does', () => {
    const given = flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Fetch', 'httpRequest', 4.2, { url: 'https://x.org', retryOnFail: true }),
      ],
      ['Start -> Fetch'],
    );
    const { document, applied, after } = fixed(given);
    expect(applied).toEqual([]);
    expect(document).toBe(given);
    expect(after.findings[0]?.fix?.safe).toBe(false);
  });

  it('applies likely fixes on request', () => {
    const given = flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Fetch', 'httpRequest', 4.2, { url: 'https://x.org', retryOnFail: true, methd: 'POST' }),
      ],
      ['Start -> Fetch'],
    );
    const { workflow, applied, after } = fixWorkflow(given, catalogue as never, { also: ['misplaced-node-setting'] });
    expect(applied.map(({ rule, fix }) => [rule, fix])).toEqual([
      ['misplaced-node-setting', expect.objectContaining({ safe: false, changes: '"retryOnFail" takes effect.' })],
    ]);
    expect(workflow?.nodes).toMatchObject([{}, { retryOnFail: true, parameters: { methd: 'POST' } }]);
    expect(after.findings.map(({ rule }) => rule)).toContain('unknown-parameter');
  });

  it('keeps the wrapper of the workflow', () => {
    const { document, applied } = fixed({ name: 'Template', workflow: { ...misplaced(), name: undefined } });
    expect(applied).toHaveLength(2);
    expect(document).toMatchObject({ name: 'Template', workflow: { nodes: [{}, {}, {}] } });
    expect(JSON.stringify(document)).not.toContain('"onError":"x"');
    expect(fixed(JSON.stringify([misplaced()])).document).toMatchObject([{ name: 'A test' }]);
  });

  it.each([
    ['nothing', null],
    ['text', 'no JSON'],
    ['a list', [1, 2]],
    ['a number', 5],
    ['null nodes', { nodes: [null], connections: {} }],
  ])('reports errors for %s', (_, given) => {
    const { after, document } = fixed(given);
    expect(after.valid).toBe(false);
    expect(document).toBe(given);
  });

  it('applies a thousand fixes in time', () => {
    const nodes = Array.from({ length: 1000 }, (_, index) =>
      node(`N${index}`, index === 0 ? 'manualTrigger' : 'noOp', 1, index === 0 ? {} : { notes: 'x' }, { notes: 'y' }),
    );
    const given = { ...flow(nodes), connections: connectionsOf(nodes.slice(1).map(({ name }) => `N0 -> ${name}`)) };
    expect(fixed(given).applied).toHaveLength(999);
  });
});
