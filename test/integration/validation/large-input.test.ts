import { describe, expect, it } from 'vitest';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { flow, node } from '../../validation/case.ts';
import { cpuTime } from '../../validation/cpu-time.ts';

const MEGABYTE = 1024 * 1024;

/** Input that makes a careless regular expression, parser or loop run away. */
const texts: readonly (readonly [string, string])[] = [
  ['an expression of brackets', `={{ ${'('.repeat(MEGABYTE)} }}`],
  ['an expression of lists', `={{ ${'['.repeat(MEGABYTE / 2)}${']'.repeat(MEGABYTE / 2)} }}`],
  ['a long sum', `={{ 1${' + 1'.repeat(MEGABYTE / 4)} }}`],
  ['a long chain of members', `={{ $json${'.a'.repeat(MEGABYTE / 2)} }}`],
  ['many expressions', `=${'{{ 1 }}'.repeat(MEGABYTE / 8)}`],
  ['expressions that never end', `=${'{{ '.repeat(MEGABYTE / 3)}`],
  ['quotes', `={{ ${'"'.repeat(MEGABYTE)} }}`],
  ['backslashes', `=${'\\'.repeat(MEGABYTE)}`],
  ['many references', `={{ ${"$('A').item.json.b + ".repeat(MEGABYTE / 24)}1 }}`],
  ['spaces', ' '.repeat(MEGABYTE)],
  ['equals signs', '='.repeat(MEGABYTE)],
  ['one letter', 'a'.repeat(MEGABYTE)],
  ['a URL of dots', `https://${'a.'.repeat(MEGABYTE / 2)}`],
  ['slashes', '/'.repeat(MEGABYTE)],
  ['JSON brackets', '{"a":'.repeat(MEGABYTE / 8)],
  ['lines', 'x\n'.repeat(MEGABYTE / 2)],
  ['stars', `${'*/1,'.repeat(MEGABYTE / 4)} * * * *`],
  ['an expression that backtracks', `(${'a+'.repeat(30)})+$`],
  ['a base64 blob', 'QUJD'.repeat(MEGABYTE / 4)],
];

/** Every kind of field, filled with the text. */
function filled(text: string) {
  return flow(
    [
      node('Hook', 'webhook', 2, { path: text, httpMethod: 'POST' }),
      node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'cronExpression', expression: text }] } }),
      node('Fetch', 'httpRequest', 4.2, {
        url: text,
        method: 'POST',
        sendBody: true,
        specifyBody: 'json',
        jsonBody: text,
        sendHeaders: true,
        headerParameters: { parameters: [{ name: 'Authorization', value: text }] },
      }),
      node('If', 'if', 2.2, {
        conditions: {
          options: { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'strict' },
          combinator: 'and',
          conditions: [
            { id: '1', leftValue: text, rightValue: text, operator: { type: 'string', operation: 'regex' } },
          ],
        },
      }),
      node('Set', 'set', 3.4, { mode: 'raw', jsonOutput: text }),
      node('Code', 'code', 2, { jsCode: text }),
      node('Python', 'code', 2, { language: 'python', pythonCode: text }),
      node('Query', 'postgres', 2.6, { operation: 'executeQuery', query: text }),
      node('Agent', 'ai:agent', 2, { promptType: 'define', text, options: { systemMessage: text } }),
      node('Note', 'stickyNote', 1, { content: text }),
      node(text, 'noOp', 1),
    ],
    ['Hook -> Fetch', 'Clock -> Fetch', 'Fetch -> If', 'If -> Set', 'If:1 -> Code'],
  );
}

describe.skipIf(catalogueIsMissing)('large and hostile workflows', () => {
  it.each(texts)('are checked quickly: %s in every field', (_, text) => {
    const workflow = filled(text);
    const { result, ms } = cpuTime(() => validateWorkflow(workflow, testCatalogue(), { purpose: 'publish' }));
    const { findings } = result;
    expect(ms).toBeLessThan(10_000);
    expect(findings.filter(({ rule }) => rule === 'internal-error')).toEqual([]);
    expect(JSON.stringify(findings).length).toBeLessThan(200_000);
  });

  it('take about ten times as long with ten thousand nodes as with a thousand', () => {
    const catalogue = testCatalogue();
    const run = (count: number) => {
      const workflow = row(count);
      const { result, ms } = cpuTime(() => validateWorkflow(workflow, catalogue));
      expect(result.findings.filter(({ rule }) => rule === 'internal-error')).toEqual([]);
      return ms;
    };
    run(1000);
    const [small, large] = [Math.min(run(1000), run(1000)), run(10_000)];
    expect(large).toBeLessThan(Math.max(30 * small, 2000));
  });

  it('do not compare ten thousand unknown types with every name', () => {
    const nodes = Array.from({ length: 10_000 }, (_, index) =>
      node(`N${index}`, `n8n-nodes-base.invention${index}`, 1),
    );
    expect(cpuTime(() => validateWorkflow(flow(nodes), testCatalogue())).ms).toBeLessThan(5000);
  });
});

/** A trigger and a long row of common nodes. */
function row(count: number) {
  const nodes = Array.from({ length: count }, (_, index) => {
    if (index === 0) return node('N0', 'manualTrigger', 1);
    if (index % 3 === 0)
      return node(`N${index}`, 'httpRequest', 4.2, { url: "={{ $('N0').item.json.url }}", options: {} });
    if (index % 3 === 1) return node(`N${index}`, 'set', 3.4, { assignments: { assignments: [] }, options: {} });
    return node(`N${index}`, 'noOp', 1);
  });
  return flow(
    nodes,
    nodes.slice(1).map((_, index) => `N${index} -> N${index + 1}`),
  );
}
