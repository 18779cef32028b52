import { broken, type Case, flow, node, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-missing-equals';
const alone = { groups: ['expressions' as const] };
const post = (jsonBody: string) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Post', 'httpRequest', 4.2, {
        method: 'POST',
        url: 'https://example.com',
        sendBody: true,
        specifyBody: 'json',
        jsonBody,
        options: {},
      }),
    ],
    ['Start -> Post'],
  );

export const cases: Case[] = [
  valid("somebody else's template", withValue('Dear {{ name }}, {{#if a}}b{{/if}}')),
  valid('text about a variable', withValue('Write $json to see it all.')),
  valid('text that shows a workflow', withValue('Answer like this: { "parameters": { "url": "={{ $json.url }}" } }')),
  valid(
    'a note',
    flow([node('Start', 'manualTrigger', 1), node('Note', 'stickyNote', 1, { content: 'Use {{ $json.a }}' })]),
  ),
  valid(
    'HTML that the node fills in itself',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Page', 'html', 1.2, { operation: 'generateHtmlTemplate', html: '<h1>{{ $json.title }}</h1>' }),
      ],
      ['Start -> Page'],
    ),
  ),
  broken('a value', withValue('{{ $json.name }}'), [
    { rule, path: value, severity: 'error', fixed: withValue('={{ $json.name }}') },
  ]),
  broken('text around it', withValue("Hello {{ $('Fetch').item.json.name }}!"), [
    { rule, path: value, severity: 'warning' },
  ]),
  broken('a URL', withValue('https://example.com/?id={{ $json.id }}'), [{ rule, path: value, severity: 'error' }]),
  broken('the body of a request', post('{ "a": "{{ $json.a }}" }'), [{ rule, path: '/nodes/1/parameters/jsonBody' }]),
  broken(
    'a condition',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('If', 'if', 2.2, {
          conditions: {
            options: { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'strict' },
            combinator: 'and',
            conditions: [
              {
                id: '1',
                leftValue: '{{ $json.a }}',
                rightValue: 'x',
                operator: { type: 'string', operation: 'equals' },
              },
            ],
          },
          options: {},
        }),
      ],
      ['Start -> If'],
    ),
    [{ rule, path: '/nodes/1/parameters/conditions/conditions/0/leftValue' }],
    alone,
  ),
];
