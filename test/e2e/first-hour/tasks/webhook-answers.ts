import { expect } from 'vitest';
import type { Task } from '../task.ts';

/** "Make me an endpoint that answers 200 for an order with a number and 400 for one without." */
export const webhookAnswers: Task = {
  name: 'A webhook that answers 200 or 400',
  most: { calls: 4, kilobytes: 12 },
  async run(assistant, { prefix }) {
    const path = `${prefix}-orders`;
    const answer = (name: string, responseCode: number, body: string) => ({
      name,
      type: 'n8n-nodes-base.respondToWebhook',
      parameters: { respondWith: 'json', responseBody: body, options: { responseCode } },
    });
    const to = (node: string) => [{ node, type: 'main', index: 0 }];
    const made = await assistant.call<{ workflow: { id: string }; publication: { live?: boolean } }>(
      'n8n_create_workflow',
      {
        name: `${prefix} orders`,
        publish: true,
        nodes: [
          {
            name: 'Order',
            type: 'n8n-nodes-base.webhook',
            parameters: { path, httpMethod: 'POST', responseMode: 'responseNode' },
          },
          {
            name: 'Has a number?',
            type: 'n8n-nodes-base.if',
            parameters: {
              conditions: {
                combinator: 'and',
                conditions: [
                  {
                    leftValue: '={{ $json.body.number }}',
                    operator: { type: 'number', operation: 'exists', singleValue: true },
                    rightValue: '',
                  },
                ],
                options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
              },
            },
          },
          answer('Taken', 200, '={{ JSON.stringify({ taken: $json.body.number }) }}'),
          answer('Refused', 400, '{ "error": "number is missing" }'),
        ],
        connections: {
          Order: { main: [to('Has a number?')] },
          'Has a number?': { main: [to('Taken'), to('Refused')] },
        },
      },
    );
    expect(made.publication.live).toBe(true);
    const { id } = made.workflow;
    const good = await assistant.call('n8n_trigger_webhook', { id, body: { number: 7 } });
    expect(good).toMatchObject({ status: 200, body: { taken: 7 } });
    const bad = await assistant.call('n8n_trigger_webhook', { id, body: {} });
    expect(bad).toMatchObject({ status: 400, body: { error: 'number is missing' } });
  },
};
