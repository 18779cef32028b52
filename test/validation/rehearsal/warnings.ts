import { flow, node } from '../case.ts';
import type { Trial } from './trial.ts';

const start = node('Start', 'manualTrigger', 1);
const request = (name: string, more: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) =>
  node(name, 'httpRequest', 4.2, { url: 'https://api.example.com/things', options: {}, ...more }, settings);
const set = (name: string, value: string) =>
  node(name, 'set', 3.4, {
    assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value }] },
    options: {},
  });
const postgres = { credentials: { postgres: { id: '14', name: 'Shop' } } };
const openAi = { credentials: { openAiApi: { id: '11', name: 'OpenAI' } } };

/** Made up, in the format of the service, and split in two so that secret scanners do not flag them. */
const githubToken = ['ghp', 'R7t2Kq9XbV4mZ1sLw8Yc3DfG6hJ0pNaE5uTi'].join('_');
const openAiKey = ['sk', 'proj', '9Jd2mQx7LbRt4VzKc8Wn1YpEs6GhUa3FoT5iMv0B'].join('-');

export const warnings: readonly Trial[] = [
  {
    name: 'a token in a header',
    workflow: flow(
      [
        start,
        request('Fetch', {
          sendHeaders: true,
          headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${githubToken}` }] },
        }),
      ],
      ['Start -> Fetch'],
    ),
    at: 'Fetch',
    about: /secret|token|credential/i,
  },
  {
    name: 'a key in code',
    workflow: flow(
      [
        start,
        node('Ask', 'code', 2, {
          jsCode: `const apiKey = '${openAiKey}';\nconst answer = await this.helpers.httpRequest({ url: 'https://api.openai.com/v1/models', headers: { Authorization: \`Bearer \${apiKey}\` } });\nreturn [{ json: answer }];`,
        }),
      ],
      ['Start -> Ask'],
    ),
    at: 'Ask',
    about: /secret|key|credential/i,
  },
  {
    name: 'a password in a URL',
    workflow: flow(
      [start, request('Fetch', { url: 'https://admin:Tr0ub4dor-x91@db.example.com/_all_docs' })],
      ['Start -> Fetch'],
    ),
    at: 'Fetch',
    about: /secret|password|credential/i,
  },
  {
    name: 'SQL built from request data',
    workflow: flow(
      [
        node('Hook', 'webhook', 2, { path: 'find', options: {} }),
        node(
          'Find',
          'postgres',
          2.5,
          {
            operation: 'executeQuery',
            query: "=SELECT * FROM users WHERE email = '{{ $json.query.email }}'",
            options: {},
          },
          postgres,
        ),
      ],
      ['Hook -> Find'],
    ),
    at: 'Find',
    about: /SQL|parameter/i,
  },
  {
    name: 'a reference to a node that comes later',
    orError: true,
    workflow: flow(
      [start, set('First', "={{ $('Second').item.json.x }}"), set('Second', 'y')],
      ['Start -> First', 'First -> Second'],
    ),
    at: 'First',
    about: /Second/,
  },
  {
    name: 'a reference to a node of another branch',
    orError: true,
    workflow: flow(
      [start, request('Left'), request('Right'), set('After right', '={{ $node["Left"].json.id }}')],
      ['Start -> Left', 'Start -> Right', 'Right -> After right'],
    ),
    at: 'After right',
    about: /Left/,
  },
  {
    name: 'a deprecated node',
    workflow: flow(
      [start, node('Old', 'function', 1, { functionCode: 'items[0].json.a = 1;\nreturn items;' })],
      ['Start -> Old'],
    ),
    at: 'Old',
    about: /Code/,
  },
  {
    name: 'a service without its credential',
    workflow: flow(
      [
        start,
        node('Tell', 'slack', 2.2, {
          select: 'channel',
          channelId: { __rl: true, mode: 'name', value: '#general' },
          text: 'Hi',
          otherOptions: {},
        }),
      ],
      ['Start -> Tell'],
    ),
    at: 'Tell',
    about: /credential/i,
  },
  {
    name: 'a credential that the instance does not have',
    orError: true,
    workflow: flow(
      [start, node('Find', 'postgres', 2.5, { operation: 'executeQuery', query: 'SELECT 1', options: {} }, postgres)],
      ['Start -> Find'],
    ),
    at: 'Find',
    world: { credentials: [{ id: '99', name: 'Shop (new)', type: 'postgres' }] },
    about: /Shop/,
  },
  {
    name: 'a node that nothing leads to',
    workflow: flow([start, request('Fetch'), set('Alone', 'x')], ['Start -> Fetch']),
    at: 'Alone',
  },
  {
    name: 'two nodes that no trigger reaches',
    workflow: flow(
      [start, request('Fetch'), request('Island'), set('On it', 'x')],
      ['Start -> Fetch', 'Island -> On it'],
    ),
    at: 'Island',
  },
  {
    name: 'an answer that the webhook does not wait for',
    orError: true,
    workflow: flow(
      [
        node('Hook', 'webhook', 2, { path: 'in', responseMode: 'onReceived', options: {} }),
        node('Answer', 'respondToWebhook', 1.1, { respondWith: 'text', responseBody: 'ok', options: {} }),
      ],
      ['Hook -> Answer'],
    ),
    at: '/nodes',
    about: /respon/i,
  },
  {
    name: 'an expression without its equals sign',
    orError: true,
    workflow: flow(
      [start, request('Fetch', { url: 'https://api.example.com/users/{{ $json.id }}' })],
      ['Start -> Fetch'],
    ),
    at: 'Fetch',
    about: /=/,
  },
  {
    name: 'a parameter with a typo',
    workflow: flow(
      [start, request('Fetch', { method: 'POST', sendBody: true, specifyBody: 'json', jsonBdy: '{}', jsonBody: '{}' })],
      ['Start -> Fetch'],
    ),
    at: 'Fetch',
    about: /jsonBody/,
  },
  {
    name: 'an error output that leads nowhere',
    workflow: flow(
      [start, request('Fetch', {}, { onError: 'continueErrorOutput' }), set('Keep', 'x')],
      ['Start -> Fetch', 'Fetch -> Keep'],
    ),
    at: 'Fetch',
  },
  {
    name: 'a circle without a way out',
    orError: true,
    workflow: flow([start, request('Fetch'), set('Keep', 'x')], ['Start -> Fetch', 'Fetch -> Keep', 'Keep -> Fetch']),
    at: '',
    about: /loop|circle|cycle|end/i,
  },
  {
    name: 'node settings inside the parameters',
    orError: true,
    workflow: flow([start, request('Fetch', { retryOnFail: true, maxTries: 3 })], ['Start -> Fetch']),
    at: 'Fetch',
    about: /retryOnFail/,
  },
  {
    name: 'memory that no node uses',
    workflow: flow(
      [
        node('Chat', 'ai:chatTrigger', 1.1, { options: {} }, { webhookId: '5f0c2a5e-3a31-4f6d-8e11-0a4f6f9d2b12' }),
        node('Helper', 'ai:agent', 2, { options: {} }),
        node(
          'GPT',
          'ai:lmChatOpenAi',
          1.2,
          { model: { __rl: true, mode: 'list', value: 'gpt-4o' }, options: {} },
          openAi,
        ),
        node('Memory', 'ai:memoryBufferWindow', 1.3, {}),
      ],
      ['Chat -> Helper', 'GPT -ai_languageModel-> Helper'],
    ),
    at: 'Memory',
  },
];
