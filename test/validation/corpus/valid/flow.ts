import { type Case, flow, node, valid } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const is = (leftValue: string, operation: string, rightValue: unknown = '', type = 'string') => ({
  options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
  combinator: 'and',
  conditions: [{ id: 'c1', leftValue, rightValue, operator: { type, operation } }],
});
const numbers = node('Numbers', 'code', 2, { jsCode: 'return [{ json: { n: 1 } }, { json: { n: 2 } }];' });

export const cases: Case[] = [
  valid(
    'one way or the other',
    flow(
      [
        start,
        node('Rich?', 'if', 2.2, { conditions: is('={{ $json.n }}', 'gt', 5, 'number'), options: {} }),
        node('Yes', 'noOp', 1),
        node('No', 'noOp', 1),
      ],
      ['Start -> Rich?', 'Rich?:0 -> Yes', 'Rich?:1 -> No'],
    ),
  ),
  valid(
    'only one of the two ways leads on',
    flow(
      [
        start,
        node('Open?', 'if', 2.2, { conditions: is('={{ $json.state }}', 'equals', 'open'), options: {} }),
        node('No', 'noOp', 1),
      ],
      ['Start -> Open?', 'Open?:1 -> No'],
    ),
  ),
  valid(
    'a switch with three rules and a fallback',
    flow(
      [
        start,
        node('Which?', 'switch', 3.2, {
          rules: {
            values: ['a', 'b', 'c'].map((value) => ({
              conditions: is('={{ $json.kind }}', 'equals', value),
              renameOutput: true,
              outputKey: value,
            })),
          },
          options: { fallbackOutput: 'extra' },
        }),
        ...['A', 'B', 'C', 'Else'].map((name) => node(name, 'noOp', 1)),
      ],
      ['Start -> Which?', 'Which?:0 -> A', 'Which?:1 -> B', 'Which?:2 -> C', 'Which?:3 -> Else'],
    ),
  ),
  valid(
    'a filter',
    flow(
      [
        start,
        numbers,
        node('Large', 'filter', 2.2, { conditions: is('={{ $json.n }}', 'gte', 2, 'number'), options: {} }),
      ],
      ['Start -> Numbers', 'Numbers -> Large'],
    ),
  ),
  valid(
    'two branches that meet',
    flow(
      [start, node('Left', 'noOp', 1), node('Right', 'noOp', 1), node('Both', 'merge', 3.2, { mode: 'append' })],
      ['Start -> Left', 'Start -> Right', 'Left -> Both:0', 'Right -> Both:1'],
    ),
  ),
  valid(
    'three branches that meet',
    flow(
      [
        start,
        node('A', 'noOp', 1),
        node('B', 'noOp', 1),
        node('C', 'noOp', 1),
        node('All', 'merge', 3.2, { numberInputs: 3 }),
      ],
      ['Start -> A', 'Start -> B', 'Start -> C', 'A -> All:0', 'B -> All:1', 'C -> All:2'],
    ),
  ),
  valid(
    'two branches that are combined by a field',
    flow(
      [
        start,
        node('Left', 'noOp', 1),
        node('Right', 'noOp', 1),
        node('Joined', 'merge', 3.2, { mode: 'combine', fieldsToMatchString: 'id', options: {} }),
      ],
      ['Start -> Left', 'Start -> Right', 'Left -> Joined:0', 'Right -> Joined:1'],
    ),
  ),
  valid(
    'a loop over batches',
    flow(
      [
        start,
        numbers,
        node('Loop', 'splitInBatches', 3, { batchSize: 10, options: {} }),
        node('Each', 'noOp', 1),
        node('Done', 'noOp', 1),
      ],
      ['Start -> Numbers', 'Numbers -> Loop', 'Loop:1 -> Each', 'Each -> Loop', 'Loop:0 -> Done'],
    ),
  ),
  valid(
    'polling until it is ready',
    flow(
      [
        start,
        node('Ask', 'httpRequest', 4.2, { url: 'https://example.com/job', options: {} }),
        node('Ready?', 'if', 2.2, { conditions: is('={{ $json.state }}', 'equals', 'ready'), options: {} }),
        node('A while', 'wait', 1.1, { amount: 10 }, { webhookId: 'b1f6' }),
        node('Go on', 'noOp', 1),
      ],
      ['Start -> Ask', 'Ask -> Ready?', 'Ready?:0 -> Go on', 'Ready?:1 -> A while', 'A while -> Ask'],
    ),
  ),
  valid(
    'an error output',
    flow(
      [
        start,
        node(
          'Fetch',
          'httpRequest',
          4.2,
          { url: 'https://example.com', options: {} },
          { onError: 'continueErrorOutput' },
        ),
        node('Fine', 'noOp', 1),
        node('Failed', 'noOp', 1),
      ],
      ['Start -> Fetch', 'Fetch:0 -> Fine', 'Fetch:1 -> Failed'],
    ),
  ),
  valid(
    'an error workflow',
    flow(
      [
        node('On error', 'errorTrigger', 1),
        node('Stop', 'stopAndError', 1, { errorMessage: '={{ $json.execution.error.message }}' }),
      ],
      ['On error -> Stop'],
    ),
  ),
  valid(
    'a workflow that others call',
    flow(
      [
        node('Called', 'executeWorkflowTrigger', 1.1, {
          workflowInputs: { values: [{ name: 'id' }, { name: 'count', type: 'number' }] },
        }),
        node('Answer', 'set', 3.4, {
          assignments: { assignments: [{ id: 'a', name: 'twice', value: '={{ $json.count * 2 }}', type: 'number' }] },
          options: {},
        }),
      ],
      ['Called -> Answer'],
    ),
  ),
  valid(
    'a workflow that calls another',
    flow(
      [
        start,
        node('Call', 'executeWorkflow', 1.2, {
          workflowId: { __rl: true, value: 'aB3xY9kLmN0pQrSt', mode: 'id' },
          workflowInputs: {
            mappingMode: 'defineBelow',
            value: {},
            matchingColumns: [],
            schema: [],
            attemptToConvertTypes: false,
            convertFieldsToString: true,
          },
          options: {},
        }),
      ],
      ['Start -> Call'],
    ),
  ),
  valid(
    'several triggers for one thing',
    flow(
      [
        start,
        node('Mornings', 'scheduleTrigger', 1.2, {
          rule: { interval: [{ field: 'cronExpression', expression: '0 7 * * 1-5' }] },
        }),
        node('Do it', 'noOp', 1),
      ],
      ['Start -> Do it', 'Mornings -> Do it'],
    ),
  ),
  valid(
    'a disabled node in the middle',
    flow([start, node('Off', 'noOp', 1, {}, { disabled: true }), node('On', 'noOp', 1)], ['Start -> Off', 'Off -> On']),
  ),
  valid(
    'a disabled node with incomplete parameters',
    flow(
      [start, node('Later', 'httpRequest', 4.2, {}, { disabled: true }), node('On', 'noOp', 1)],
      ['Start -> Later', 'Later -> On'],
    ),
  ),
  valid(
    'sticky notes',
    flow(
      [
        start,
        node('Note', 'stickyNote', 1, { content: '## Why\nBecause.', height: 200, width: 300, color: 4 }),
        node('Do it', 'noOp', 1),
      ],
      ['Start -> Do it'],
    ),
  ),
  valid('unused outputs that are null', {
    ...flow([
      start,
      node('Which?', 'if', 2.2, { conditions: is('={{ $json.a }}', 'notEmpty'), options: {} }),
      node('No', 'noOp', 1),
    ]),
    connections: {
      Start: { main: [[{ node: 'Which?', type: 'main', index: 0 }]] },
      'Which?': { main: [null, [{ node: 'No', type: 'main', index: 0 }]] },
    },
  }),
  valid(
    'names with every kind of character',
    flow(
      [node('Start „hier“ / 50% ~ 🚀', 'manualTrigger', 1), node('It\'s "done"', 'noOp', 1)],
      ['Start „hier“ / 50% ~ 🚀 -> It\'s "done"'],
    ),
  ),
];
