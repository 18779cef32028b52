import { changed, flow, gone, node } from '../case.ts';
import type { Trial } from './trial.ts';

const start = node('Start', 'manualTrigger', 1);
const request = (name: string, more: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) =>
  node(name, 'httpRequest', 4.2, { url: 'https://api.example.com/things', options: {}, ...more }, settings);
const set = (name: string, value: string) =>
  node(name, 'set', 3.4, {
    assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value }] },
    options: {},
  });
const code = (name: string, parameters: Record<string, unknown>) => node(name, 'code', 2, parameters);
const openAi = { credentials: { openAiApi: { id: '11', name: 'OpenAI' } } };
const slack = { credentials: { slackApi: { id: '13', name: 'Slack' } } };
const model = (name = 'GPT') =>
  node(
    name,
    'ai:lmChatOpenAi',
    1.2,
    { model: { __rl: true, mode: 'list', value: 'gpt-4o-mini' }, options: {} },
    openAi,
  );
const chat = node(
  'Chat',
  'ai:chatTrigger',
  1.1,
  { options: {} },
  { webhookId: '5f0c2a5e-3a31-4f6d-8e11-0a4f6f9d2b11' },
);
const agent = node('Helper', 'ai:agent', 2, { options: {} });
const ifEquals = (name: string) =>
  node(name, 'if', 2.2, {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
      conditions: [
        { id: 'c', leftValue: '={{ $json.a }}', rightValue: 'b', operator: { type: 'string', operation: 'equals' } },
      ],
      combinator: 'and',
    },
    options: {},
  });

const two = flow([start, request('Fetch')], ['Start -> Fetch']);
const three = flow([start, request('Fetch'), set('Keep', '={{ $json.id }}')], ['Start -> Fetch', 'Fetch -> Keep']);
const assistant = flow([chat, agent, model()], ['Chat -> Helper', 'GPT -ai_languageModel-> Helper']);
const withRetriever = flow(
  [
    start,
    node('Answer', 'ai:chainRetrievalQa', 1.4, { promptType: 'define', text: 'Why?', options: {} }),
    model(),
    node('Retriever', 'ai:retrieverVectorStore', 1),
    node('Store', 'ai:vectorStoreInMemory', 1.2, {
      mode: 'retrieve',
      memoryKey: { __rl: true, mode: 'list', value: 'd' },
    }),
  ],
  [
    'Start -> Answer',
    'GPT -ai_languageModel-> Answer',
    'Retriever -ai_retriever-> Answer',
    'Store -ai_vectorStore-> Retriever',
  ],
);
const slackNode = (parameters: Record<string, unknown>) => node('Tell', 'slack', 2.2, parameters, slack);
const channel = { select: 'channel', channelId: { __rl: true, mode: 'name', value: '#general' } };

export const errors: readonly Trial[] = [
  {
    name: 'a node type with a typo',
    workflow: changed(two, '/nodes/1/type', 'n8n-nodes-base.httpReqest'),
    at: 'Fetch',
    about: /httpRequest/,
  },
  {
    name: 'a node type with a shortened package',
    workflow: changed(assistant, '/nodes/1/type', 'nodes-langchain.agent'),
    at: 'Helper',
  },
  { name: 'a version that does not exist yet', workflow: changed(three, '/nodes/2/typeVersion', 4), at: 'Keep' },
  { name: 'a version between two that exist', workflow: changed(two, '/nodes/1/typeVersion', 3.5), at: 'Fetch' },
  {
    name: 'two nodes with the same name',
    workflow: flow([start, request('Fetch'), request('Fetch')], ['Start -> Fetch']),
    at: 'Fetch',
  },
  {
    name: 'two nodes with the same id',
    workflow: changed(three, '/nodes/2/id', '00000000-0000-4000-8000-000000000002'),
    at: 'Keep',
  },
  { name: 'a request without a URL', workflow: changed(two, '/nodes/1/parameters/url', gone), at: 'Fetch' },
  {
    name: 'a message without a channel',
    workflow: flow(
      [start, slackNode({ select: 'channel', channelId: { __rl: true, mode: 'list', value: '' }, text: 'Hi' })],
      ['Start -> Tell'],
    ),
    at: 'Tell',
    about: /channel/i,
  },
  {
    name: 'an operation that another resource of the node has',
    workflow: flow([start, slackNode({ resource: 'message', operation: 'archive', ...channel })], ['Start -> Tell']),
    at: 'Tell',
    about: /archive/,
  },
  {
    name: 'a resource that the node does not have',
    workflow: flow(
      [
        start,
        node(
          'Sheet',
          'googleSheets',
          4.5,
          { resource: 'row', operation: 'append' },
          { credentials: { googleSheetsOAuth2Api: { id: '15', name: 'Google' } } },
        ),
      ],
      ['Start -> Sheet'],
    ),
    at: 'Sheet',
    about: /row/,
  },
  {
    name: 'a method that HTTP does not have',
    workflow: changed(two, '/nodes/1/parameters/method', 'FETCH'),
    at: 'Fetch',
    about: /FETCH/,
  },
  {
    name: 'conditions of version 1 in version 2',
    workflow: flow(
      [
        start,
        node('Which', 'if', 2.2, {
          conditions: { string: [{ value1: '={{ $json.a }}', operation: 'equal', value2: 'b' }] },
          options: {},
        }),
      ],
      ['Start -> Which'],
    ),
    at: 'Which',
  },
  {
    name: 'an operator that its type does not have',
    workflow: changed(
      flow([start, ifEquals('Which')], ['Start -> Which']),
      '/nodes/1/parameters/conditions/conditions/0/operator',
      { type: 'number', operation: 'startsWith' },
    ),
    at: 'Which',
  },
  {
    name: 'headers as a plain object',
    workflow: flow(
      [start, request('Fetch', { sendHeaders: true, headerParameters: { parameters: { Accept: 'text/plain' } } })],
      ['Start -> Fetch'],
    ),
    at: 'Fetch',
  },
  {
    name: 'a JSON body with an extra comma',
    workflow: flow(
      [
        start,
        request('Fetch', { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody: '{ "a": 1, "b": [1, 2,] }' }),
      ],
      ['Start -> Fetch'],
    ),
    at: 'Fetch',
    about: /JSON/,
  },
  {
    name: 'a cron of minute 61',
    workflow: flow(
      [
        node('Clock', 'scheduleTrigger', 1.2, {
          rule: { interval: [{ field: 'cronExpression', expression: '61 8 * * *' }] },
        }),
        request('Fetch'),
      ],
      ['Clock -> Fetch'],
    ),
    at: 'Clock',
  },
  {
    name: 'a connection to a missing node',
    workflow: flow([start, request('Fetch')], ['Start -> Fetch', 'Fetch -> Kept']),
    at: '/connections/Fetch',
    about: /Kept/,
  },
  {
    name: 'a connection from a missing node',
    workflow: flow([start, request('Fetch')], ['Start -> Fetch', 'Fetched -> Fetch']),
    at: '/connections/Fetched',
  },
  {
    name: 'connections by id',
    workflow: changed(two, '/connections', {
      '00000000-0000-4000-8000-000000000001': {
        main: [[{ node: '00000000-0000-4000-8000-000000000002', type: 'main', index: 0 }]],
      },
    }),
    at: '/connections',
    about: /Fetch|Start/,
  },
  {
    name: 'a third output of an If',
    workflow: flow([start, ifEquals('Which'), set('Keep', 'x')], ['Start -> Which', 'Which:2 -> Keep']),
    at: '/connections/Which',
  },
  {
    name: 'a third input of a Merge with two',
    workflow: flow(
      [start, set('A', 'a'), set('B', 'b'), node('Both', 'merge', 3, {})],
      ['Start -> A', 'Start -> B', 'A -> Both:0', 'B -> Both:2'],
    ),
    at: '/connections/B',
  },
  {
    name: 'an error output that is off',
    workflow: flow([start, request('Fetch'), set('Oops', 'x')], ['Start -> Fetch', 'Fetch:1 -> Oops']),
    at: '/connections/Fetch',
  },
  {
    name: 'data into a trigger',
    workflow: flow(
      [start, request('Fetch'), node('Hook', 'webhook', 2, { path: 'in', options: {} })],
      ['Start -> Fetch', 'Fetch -> Hook'],
    ),
    at: '/connections/Fetch',
  },
  {
    name: 'an agent without a model',
    workflow: flow([chat, agent], ['Chat -> Helper']),
    at: 'Helper',
    about: /model/i,
  },
  {
    name: 'a model as a tool',
    workflow: flow(
      [chat, agent, model(), model('Second')],
      ['Chat -> Helper', 'GPT -ai_languageModel-> Helper', 'Second -ai_tool-> Helper'],
    ),
    at: '/connections/Second',
  },
  {
    name: 'a vector store without an embedding',
    workflow: withRetriever,
    at: 'Store',
    about: /embedding/i,
  },
  {
    name: 'memory for a chain that has none',
    workflow: flow(
      [
        chat,
        node('Chain', 'ai:chainLlm', 1.5, { promptType: 'auto' }),
        model(),
        node('Memory', 'ai:memoryBufferWindow', 1.3, {}),
      ],
      ['Chat -> Chain', 'GPT -ai_languageModel-> Chain', 'Memory -ai_memory-> Chain'],
    ),
    at: '/connections/Memory',
  },
  {
    name: 'a regular node as a tool',
    workflow: flow(
      [chat, agent, model(), request('Weather')],
      ['Chat -> Helper', 'GPT -ai_languageModel-> Helper', 'Weather -ai_tool-> Helper'],
    ),
    at: '/connections/Weather',
    about: /tool/i,
  },
  {
    name: 'an expression that does not parse',
    workflow: flow([start, set('Keep', '={{ $json.items.map(x => x. }}')], ['Start -> Keep']),
    at: 'Keep',
  },
  {
    name: 'an expression that is not closed',
    workflow: flow([start, set('Keep', '=Hello {{ $json.name }, how are you?')], ['Start -> Keep']),
    at: 'Keep',
  },
  {
    name: 'a reference to a missing node',
    workflow: flow(
      [start, request('Get user'), set('Keep', "={{ $('Get users').item.json.id }}")],
      ['Start -> Get user', 'Get user -> Keep'],
    ),
    at: 'Keep',
    about: /Get user/,
  },
  {
    name: 'JavaScript that does not parse',
    workflow: flow(
      [
        start,
        code('Count', { jsCode: 'const all = $input.all();\nif (all.length > 3 {\n  return all;\n}\nreturn [];' }),
      ],
      ['Start -> Count'],
    ),
    at: 'Count',
  },
  {
    name: 'Python that does not parse',
    workflow: flow(
      [
        start,
        code('Count', {
          language: 'pythonNative',
          pythonCode: 'for item in _items\n    item["json"]["n"] = 1\nreturn _items',
        }),
      ],
      ['Start -> Count'],
    ),
    at: 'Count',
  },
  {
    name: 'a webhook that waits for an answer that never comes',
    workflow: flow(
      [node('Hook', 'webhook', 2, { path: 'in', responseMode: 'responseNode', options: {} }), request('Fetch')],
      ['Hook -> Fetch'],
    ),
    at: 'Hook',
  },
  {
    name: 'two webhooks with the same path and method',
    workflow: flow(
      [
        node('One', 'webhook', 2, { httpMethod: 'POST', path: 'in', options: {} }),
        node('Other', 'webhook', 2, { httpMethod: 'POST', path: 'in', options: {} }),
        request('Fetch'),
      ],
      ['One -> Fetch', 'Other -> Fetch'],
    ),
    at: 'Other',
  },
  {
    name: 'a credential of another service',
    workflow: flow(
      [
        start,
        node(
          'Tell',
          'slack',
          2.2,
          { ...channel, text: 'Hi', otherOptions: {} },
          { credentials: { telegramApi: { id: '16', name: 'Telegram' } } },
        ),
      ],
      ['Start -> Tell'],
    ),
    at: 'Tell',
    about: /telegramApi/,
  },
  {
    name: 'no trigger',
    workflow: flow([request('Fetch'), set('Keep', '={{ $json.id }}')], ['Fetch -> Keep']),
    at: '',
    about: /trigger/i,
  },
];
