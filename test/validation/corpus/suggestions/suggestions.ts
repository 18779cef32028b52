import { broken, type Case, flow, node, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const only = { groups: ['suggestions' as const] };
const start = node('Start', 'manualTrigger', 1);
const set = (name: string, text = 'x') =>
  node(name, 'set', 3.4, {
    assignments: { assignments: [{ id: 'a', name: 'f', value: text, type: 'string' }] },
    options: {},
  });
const fetch = (options: object = {}) => node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', options });
const looping = (...body: ReturnType<typeof node>[]) =>
  flow(
    [start, node('Loop', 'splitInBatches', 3, { options: {} }), ...body],
    [
      'Start -> Loop',
      ...body.map(({ name }, index) => (index === 0 ? `Loop:1 -> ${name}` : `${body[index - 1]?.name} -> ${name}`)),
      `${body.at(-1)?.name} -> Loop`,
    ],
  );
const polling = (one: ReturnType<typeof node>) =>
  flow([start, one, node('Ready?', 'if', 2.2, {})], ['Start -> Fetch', 'Fetch -> Ready?', 'Ready?:1 -> Fetch']);
const many = (one: ReturnType<typeof node>) =>
  flow(
    [start, node('Split', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }), one],
    ['Start -> Split', 'Split -> Fetch'],
  );
const row = (count: number, more: ReturnType<typeof node>[] = []) => {
  const nodes = Array.from({ length: count }, (_, index) =>
    index === 0 ? start : node(`Step ${'abcdefghijklmnopqrstuvwxyz'[index]}`, 'noOp', 1),
  );
  return flow(
    [...nodes, ...more],
    nodes.slice(1).map(({ name }, index) => `${nodes[index]?.name} -> ${name}`),
  );
};

export const cases: Case[] = [
  broken(
    'two nodes that set fields',
    flow([start, set('One'), set('Two')], ['Start -> One', 'One -> Two']),
    [{ rule: 'merge-set-nodes', path: '/nodes/2', severity: 'info', says: '"One"' }],
    only,
  ),
  valid(
    'two that set fields, with a later reference to the first',
    flow([start, set('One'), set('Two', "={{ $('One').item.json.f }}")], ['Start -> One', 'One -> Two']),
    only,
  ),
  valid(
    'two that set fields, with a branch between them',
    flow([start, set('One'), node('Rest', 'noOp', 1), set('Two')], ['Start -> One', 'One -> Rest', 'Rest -> Two']),
    only,
  ),
  broken('a loop of requests', looping(fetch()), [{ rule: 'wait-in-loop', path: '/nodes/2', severity: 'info' }], only),
  broken(
    'three that set fields: one finding',
    flow([start, set('One'), set('Two'), set('Three')], ['Start -> One', 'One -> Two', 'Two -> Three']),
    [{ rule: 'merge-set-nodes', path: '/nodes/2', says: '"Three"' }],
    only,
  ),
  broken(
    'requests until a condition holds',
    polling(fetch()),
    [{ rule: 'wait-in-loop', path: '/nodes/1', severity: 'info' }],
    only,
  ),
  valid('requests with retries and a pause', polling(Object.assign(fetch(), { retryOnFail: true })), {
    ...only,
    warnings: ['unfilled-node'],
  }),
  valid('a loop of requests that waits', looping(fetch(), node('Pause', 'wait', 1.1, { amount: 1 })), only),
  broken(
    'a loop around a node that runs for each item',
    looping(set('One')),
    [{ rule: 'needless-loop', path: '/nodes/1', severity: 'info' }],
    only,
  ),
  broken(
    'a request for each of many items',
    many(fetch()),
    [{ rule: 'batch-requests', path: '/nodes/2', severity: 'info', says: '"Split"' }],
    only,
  ),
  broken(
    'a request for each row of a table',
    flow(
      [start, node('Split', 'postgres', 2.5, { operation: 'select', returnAll: true }), set('Shape'), fetch()],
      ['Start -> Split', 'Split -> Shape', 'Shape -> Fetch'],
    ),
    [{ rule: 'batch-requests', path: '/nodes/3', says: '"Split"' }],
    only,
  ),
  valid('requests in batches', many(fetch({ batching: { batch: { batchSize: 10, batchInterval: 1000 } } })), only),
  broken(
    'a long expression',
    withValue(`={{ ${'$json.a + '.repeat(60)}1 }}`),
    [{ rule: 'long-expression', path: value, severity: 'info' }],
    only,
  ),
  broken(
    'long expressions in two nodes: one finding',
    flow(
      [
        start,
        set('One', `={{ ${'$json.a + '.repeat(60)}1 }}`),
        node('Rest', 'noOp', 1),
        set('Two', `={{ ${'$json.b + '.repeat(60)}1 }}`),
      ],
      ['Start -> One', 'One -> Rest', 'Rest -> Two'],
    ),
    [{ rule: 'long-expression', path: '/nodes/1/parameters/assignments/assignments/0/value', says: '"Two"' }],
    only,
  ),
  broken('many nodes without a note', row(26), [{ rule: 'missing-notes', path: '/nodes', severity: 'info' }], only),
  valid('many nodes with a note', row(26, [node('Note', 'stickyNote', 1, { content: 'Why' })]), only),
];
