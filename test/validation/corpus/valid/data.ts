import { type Case, flow, node, valid } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const then = (...nodes: ReturnType<typeof node>[]) => {
  const all = [start, ...nodes];
  return flow(
    all,
    all.slice(1).map((one, index) => `${all[index]?.name} -> ${one.name}`),
  );
};
const set = (name: string, type: string, value: unknown) =>
  node('Set', 'set', 3.4, { assignments: { assignments: [{ id: '1', name, value, type }] }, options: {} });

export const cases: Case[] = [
  valid('a text field', then(set('greeting', 'string', 'Hello'))),
  valid('a number field', then(set('count', 'number', 3))),
  valid('a boolean field', then(set('open', 'boolean', true))),
  valid('a list field from an expression', then(set('tags', 'array', '={{ ["a", "b"] }}'))),
  valid('an object field as JSON', then(set('address', 'object', '{"city":"Berlin"}'))),
  valid('fields as JSON', then(node('Set', 'set', 3.4, { mode: 'raw', jsonOutput: '{\n  "a": 1\n}\n', options: {} }))),
  valid(
    'fields as JSON with expressions in it',
    then(node('Set', 'set', 3.4, { mode: 'raw', jsonOutput: '={ "a": {{ $now.toMillis() }} }', options: {} })),
  ),
  valid(
    'JavaScript for all items',
    then(
      node('Code', 'code', 2, {
        jsCode: 'for (const item of $input.all()) {\n  item.json.seen = true;\n}\nreturn $input.all();',
      }),
    ),
  ),
  valid(
    'JavaScript for each item',
    then(
      node('Code', 'code', 2, {
        mode: 'runOnceForEachItem',
        jsCode: 'return { ...$json, n: await Promise.resolve(1) };',
      }),
    ),
  ),
  valid(
    'lists taken apart and put together',
    then(
      node('Apart', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
      node('Together', 'aggregate', 1, { aggregate: 'aggregateAllItemData', options: {} }),
    ),
  ),
  valid(
    'sorted, limited and deduplicated',
    then(
      node('Sort', 'sort', 1, { sortFieldsUi: { sortField: [{ fieldName: 'n' }] }, options: {} }),
      node('Limit', 'limit', 1, { maxItems: 5 }),
      node('Once', 'removeDuplicates', 2, { options: {} }),
    ),
  ),
  valid(
    'dates',
    then(
      node('Date', 'dateTime', 2, { operation: 'formatDate', date: '={{ $now }}', format: 'yyyy-MM-dd', options: {} }),
    ),
  ),
  valid(
    'old versions, as they were written',
    flow(
      [
        start,
        node('Function', 'function', 1, { functionCode: 'return items;' }),
        node('Old set', 'set', 1, { values: { string: [{ name: 'a', value: 'b' }] }, options: {} }),
        node('Old if', 'if', 1, { conditions: { string: [{ value1: '={{ $json.a }}', value2: 'b' }] } }),
        node('Old request', 'httpRequest', 1, { url: 'https://example.com', options: {} }),
      ],
      ['Start -> Function', 'Function -> Old set', 'Old set -> Old if', 'Old if -> Old request'],
    ),
    { warnings: ['deprecated-node'] },
  ),
  valid(
    'a POST with JSON',
    then(
      node('Post', 'httpRequest', 4.2, {
        method: 'POST',
        url: 'https://example.com/items',
        sendHeaders: true,
        headerParameters: { parameters: [{ name: 'X-Trace', value: '={{ $execution.id }}' }] },
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '{ "a": 1 }',
        options: { timeout: 10000 },
      }),
    ),
  ),
  valid(
    'a POST with JSON from an expression',
    then(
      node('Post', 'httpRequest', 4.2, {
        method: 'POST',
        url: '=https://example.com/items/{{ $json.id }}',
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '={{ JSON.stringify($json) }}',
        options: {},
      }),
    ),
  ),
  valid(
    'a query with parameters',
    then(
      node('Get', 'httpRequest', 4.2, {
        url: 'https://example.com/search',
        sendQuery: true,
        queryParameters: { parameters: [{ name: 'q', value: '={{ $json.q }}' }] },
        options: { response: { response: { responseFormat: 'text' } } },
      }),
    ),
  ),
  valid('a feed', then(node('Feed', 'rssFeedRead', 1.1, { url: 'https://example.com/feed.xml', options: {} }))),
  valid(
    'data extracted from HTML',
    then(
      node('HTML', 'html', 1.2, {
        operation: 'extractHtmlContent',
        extractionValues: { values: [{ key: 'title', cssSelector: 'h1' }] },
        options: {},
      }),
    ),
  ),
  valid(
    'a comparison of two datasets',
    flow(
      [
        start,
        node('Before', 'noOp', 1),
        node('After', 'noOp', 1),
        node('Compare', 'compareDatasets', 2.3, {
          mergeByFields: { values: [{ field1: 'id', field2: 'id' }] },
          options: {},
        }),
        node('New', 'noOp', 1),
      ],
      ['Start -> Before', 'Start -> After', 'Before -> Compare:0', 'After -> Compare:1', 'Compare:3 -> New'],
    ),
  ),
];
