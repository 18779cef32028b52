import { broken, type Case, flow, node, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'unfilled-node';
const condition = (leftValue: string) => ({
  conditions: {
    options: { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'strict' },
    combinator: 'and',
    conditions: [{ id: '1', leftValue, rightValue: '', operator: { type: 'string', operation: 'equals' } }],
  },
  options: {},
});
const joined = (parameters: Record<string, unknown>) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('It', 'merge', 3.1, { mode: 'combine', ...parameters }),
      node('Other', 'noOp', 1),
    ],
    ['Start -> It', 'Start -> Other', 'Other -> It:1'],
  );

export const cases: Case[] = [
  valid('a field to sort by', one('sort', 1, { sortFieldsUi: { sortField: [{ fieldName: 'a' }] } })),
  valid('no field for a random order', one('sort', 1, { type: 'random' })),
  broken('a sort without a field', one('sort', 1, { options: {} }), [
    { rule, path: at('sortFieldsUi'), severity: 'error' },
  ]),
  broken('a sort by an empty list', one('sort', 1, { sortFieldsUi: { sortField: [] } }), [
    { rule, path: at('sortFieldsUi'), says: 'a field to sort by' },
  ]),
  // n8n returns one empty item.
  broken(
    'an aggregate of an empty field',
    one('aggregate', 1, { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: '' }] } }),
    [{ rule, path: at('fieldsToAggregate'), severity: 'warning' }],
  ),
  valid('an aggregate of all data', one('aggregate', 1, { aggregate: 'aggregateAllItemData' })),
  broken('a summary of nothing', one('summarize', 1.1, { fieldsToSummarize: { values: [{ field: '' }] } }), [
    { rule, path: at('fieldsToSummarize'), severity: 'error' },
  ]),
  broken('duplicates without a field', one('removeDuplicates', 2, { compare: 'selectedFields' }), [
    { rule, path: at('fieldsToCompare'), severity: 'error' },
  ]),
  valid('duplicates by an expression', one('removeDuplicates', 2, { compare: '={{ $json.how }}' })),
  broken('no fields to include', one('splitOut', 1, { fieldToSplitOut: 'a', include: 'selectedOtherFields' }), [
    { rule, path: at('fieldsToInclude'), severity: 'error' },
  ]),
  broken('a merge without a field', joined({}), [{ rule, path: at('fieldsToMatchString'), severity: 'error' }]),
  valid('a merge by position', joined({ combineBy: 'combineByPosition' })),
  broken('no code', one('code', 2, {}), [{ rule, path: at('jsCode'), severity: 'error' }]),
  broken('empty code', one('code', 2, { jsCode: '' }), [{ rule, path: at('jsCode'), severity: 'error' }]),
  broken('null for Python', one('code', 2, { language: 'pythonNative', pythonCode: null }), [
    { rule, path: at('pythonCode'), severity: 'error' },
  ]),
  broken('code under an older name', one('code', 2, { functionCode: 'return [];' }), [
    { rule: 'unknown-parameter', path: at('functionCode') },
  ]),
  broken(
    'a body of JSON that is empty',
    one('httpRequest', 4.2, { url: 'https://example.com', method: 'POST', sendBody: true, specifyBody: 'json' }),
    [{ rule, path: at('jsonBody'), severity: 'error' }],
  ),
  broken(
    'a request without its authentication type',
    one('httpRequest', 4.2, { url: 'https://example.com', authentication: 'genericCredentialType' }),
    [{ rule, path: at('genericAuthType'), severity: 'warning' }],
    alone,
  ),
  broken(
    'rows without a value',
    one('googleSheets', 4.5, {
      operation: 'append',
      documentId: { __rl: true, mode: 'id', value: '1A2b3C4d5E6f7G8h9I0j' },
      sheetName: { __rl: true, mode: 'name', value: 'Sheet1' },
      columns: { mappingMode: 'defineBelow', value: {} },
    }),
    [{ rule, path: at('columns'), severity: 'warning' }],
    alone,
  ),
  broken(
    'a schedule without a time',
    flow(
      [node('Never', 'scheduleTrigger', 1.2, { rule: { interval: [] } }), node('Next', 'noOp', 1)],
      ['Never -> Next'],
    ),
    [{ rule, path: '/nodes/0/parameters/rule', severity: 'error' }],
  ),
  broken(
    'nothing to extract',
    one('ai:informationExtractor', 1.2, { text: 'a' }),
    [{ rule, path: at('attributes'), severity: 'error' }],
    alone,
  ),
  valid(
    'no field to set, but fields to remove',
    one('set', 3.4, { includeOtherFields: true, include: 'except', excludeFields: 'a', options: {} }),
  ),
  broken('no field to set', one('set', 3.4, { assignments: { assignments: [] } }), [
    { rule, path: at('assignments'), severity: 'warning' },
  ]),
  valid('a condition', one('if', 2.2, condition('={{ $json.a }}'))),
  broken('an empty condition', one('if', 2.2, condition('')), [
    { rule, path: at('conditions'), severity: 'warning', says: 'a condition' },
  ]),
];
