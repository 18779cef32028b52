import { type Case, flow, node, valid } from '../../case.ts';

const publish = { purpose: 'publish' } as const;
const hook = (parameters: Record<string, unknown>) =>
  node('Hook', 'webhook', 2, { path: 'corpus-orders', options: {}, ...parameters }, { webhookId: 'b7e1' });

export const cases: Case[] = [
  valid('answers at once', flow([hook({}), node('Later', 'noOp', 1)], ['Hook -> Later']), publish),
  valid(
    'answers with the last node',
    flow([hook({ httpMethod: 'POST', responseMode: 'lastNode' }), node('Last', 'noOp', 1)], ['Hook -> Last']),
    publish,
  ),
  valid(
    'answers with a node',
    flow(
      [
        hook({ httpMethod: 'POST', responseMode: 'responseNode' }),
        node('Answer', 'respondToWebhook', 1.4, {
          respondWith: 'json',
          responseBody: '={{ { ok: true } }}',
          options: {},
        }),
      ],
      ['Hook -> Answer'],
    ),
    publish,
  ),
  valid(
    'answers in both branches',
    flow(
      [
        hook({ responseMode: 'responseNode' }),
        node('Known?', 'if', 2.2, {
          conditions: {
            options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
            combinator: 'and',
            conditions: [
              {
                id: '1',
                leftValue: '={{ $json.query.id }}',
                rightValue: '',
                operator: { type: 'string', operation: 'notEmpty', singleValue: true },
              },
            ],
          },
          options: {},
        }),
        node('Yes', 'respondToWebhook', 1.4, { respondWith: 'text', responseBody: 'yes', options: {} }),
        node('No', 'respondToWebhook', 1.4, { respondWith: 'noData', options: { responseCode: 404 } }),
      ],
      ['Hook -> Known?', 'Known?:0 -> Yes', 'Known?:1 -> No'],
    ),
    publish,
  ),
  valid(
    'one path for two methods',
    flow(
      [
        node('Get', 'webhook', 2, { path: 'corpus-things', options: {} }, { webhookId: 'w1' }),
        node('Post', 'webhook', 2, { path: 'corpus-things', httpMethod: 'POST', options: {} }, { webhookId: 'w2' }),
        node('Do it', 'noOp', 1),
      ],
      ['Get -> Do it', 'Post -> Do it'],
    ),
    publish,
  ),
  valid(
    'a path with a parameter',
    flow([hook({ path: 'corpus/:id/lines' }), node('Do it', 'noOp', 1)], ['Hook -> Do it']),
    publish,
  ),
  valid(
    'a form',
    flow(
      [
        node(
          'Form',
          'formTrigger',
          2.2,
          {
            formTitle: 'Contact',
            formFields: {
              values: [
                { fieldLabel: 'Name', requiredField: true },
                { fieldLabel: 'Age', fieldType: 'number' },
              ],
            },
            options: {},
          },
          { webhookId: 'f1' },
        ),
        node('Keep', 'noOp', 1),
      ],
      ['Form -> Keep'],
    ),
    publish,
  ),
  valid(
    'a schedule',
    flow(
      [
        node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'minutes', minutesInterval: 15 }] } }),
        node('Do it', 'noOp', 1),
      ],
      ['Clock -> Do it'],
    ),
    publish,
  ),
];
