import { broken, type Case, flow, node, valid } from '../../case.ts';

const only = { groups: ['lint' as const] };
const calling = (url: string) =>
  flow([node('Start', 'manualTrigger', 1), node('Call', 'httpRequest', 4.2, { url })], ['Start -> Call']);

export const cases: Case[] = [
  valid('the production URL', calling('https://n8n.example.com/webhook/orders'), only),
  broken(
    'the test URL',
    calling('https://n8n.example.com/webhook-test/orders'),
    [{ rule: 'test-webhook-url', path: '/nodes/1/parameters/url', severity: 'warning' }],
    only,
  ),
];
