import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const rule = 'missing-chat-field';
const credentials = { openAiApi: { id: 'aB3xY9kLmN0pQrSt', name: 'OpenAI' } };
const model = node(
  'Model',
  'ai:lmChatOpenAi',
  1.2,
  { model: { __rl: true, mode: 'list', value: 'gpt-4o-mini' }, options: {} },
  { credentials },
);
const memory = node('Memory', 'ai:memoryBufferWindow', 1.3, {});
const chat = node('Chat', 'ai:chatTrigger', 1.1, { options: {} }, { webhookId: 'sluice-chat-field' });
const hook = node('Hook', 'webhook', 2, { httpMethod: 'POST', path: 'sluice-chat-field', options: {} });
const clock = node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } });
const start = node('Start', 'manualTrigger', 1);
const set = (name: string, more = {}) =>
  node('Fields', 'set', 3.4, {
    assignments: { assignments: [{ id: 'a', name, type: 'string', value: '={{ $json.body.text }}' }] },
    options: {},
    ...more,
  });
const agent = (parameters = {}) => node('Agent', 'ai:agent', 3, { options: {}, ...parameters });
const defined = agent({ promptType: 'define', text: '={{ $json.body.text }}' });
const asks = ['Model -ai_languageModel-> Agent'];
const remembers = [...asks, 'Memory -ai_memory-> Agent'];
const prompt = { rule, path: '/nodes/1/parameters', severity: 'error' as const, says: 'chatInput' };

export const cases: Case[] = [
  valid('after a chat', flow([chat, agent(), model, memory], ['Chat -> Agent', ...remembers])),
  valid(
    'a session of a chat further upstream',
    flow([chat, set('text'), defined, model, memory], ['Chat -> Fields', 'Fields -> Agent', ...remembers]),
  ),
  valid('its own prompt', flow([hook, defined, model], ['Hook -> Agent', ...asks])),
  valid(
    'a field from a node before it',
    flow([hook, set('chatInput'), agent(), model], ['Hook -> Fields', 'Fields -> Agent', ...asks]),
  ),
  valid(
    'a node before it that passes its input on',
    flow(
      [hook, set('text', { includeOtherFields: true }), agent(), model],
      ['Hook -> Fields', 'Fields -> Agent', ...asks],
    ),
  ),
  valid('an unknown node before it', {
    ...flow(
      [start, node('Code', 'code', 2, { jsCode: 'return [{ json: { chatInput: "hi" } }];' }), agent(), model],
      ['Start -> Code', 'Code -> Agent', ...asks],
    ),
  }),
  valid(
    'a chat next to another trigger',
    flow([chat, hook, agent(), model], ['Chat -> Agent', 'Hook -> Agent', ...asks]),
  ),
  valid('a trigger whose data is pinned', {
    ...flow([start, agent(), model], ['Start -> Agent', ...asks]),
    pinData: { Start: [{ json: { chatInput: 'hi' } }] },
  }),
  valid(
    'its own session key',
    changed(flow([hook, defined, model, memory], ['Hook -> Agent', ...remembers]), '/nodes/3/parameters', {
      sessionIdType: 'customKey',
      sessionKey: '={{ $json.body.user }}',
    }),
  ),
  broken(
    'an outline without parameters, which another rule reports',
    changed(
      flow(
        [
          clock,
          node('Agent', 'ai:agent', 3, {}),
          node('Model', 'ai:lmChatOpenAi', 1.2, {}),
          node('Fetch', 'httpRequest', 4.2, {}),
          node('Mail', 'gmail', 2.1, {}),
        ],
        ['Clock -> Agent', ...asks, 'Agent -> Fetch', 'Fetch -> Mail'],
      ),
      '/nodes/0/parameters',
      {},
    ),
    [{ rule: 'required-parameter', path: '/nodes', severity: 'warning' }],
    { groups: ['connections', 'parameters'] },
  ),
  broken('an agent after a webhook', flow([hook, agent(), model], ['Hook -> Agent', ...asks]), [prompt]),
  broken('an agent after a schedule', flow([clock, agent(), model], ['Clock -> Agent', ...asks]), [prompt]),
  broken(
    'an agent after other fields',
    flow([hook, agent(), model, set('text')], ['Hook -> Fields', 'Fields -> Agent', ...asks]),
    [prompt],
  ),
  broken('an agent after a manual start', flow([start, agent(), model], ['Start -> Agent', ...asks]), [
    { ...prompt, severity: 'warning' },
  ]),
  broken(
    'a chain after a webhook',
    flow([hook, node('Chain', 'ai:chainLlm', 1.7, {}), model], ['Hook -> Chain', 'Model -ai_languageModel-> Chain']),
    [prompt],
  ),
  broken('a memory after a webhook', flow([hook, defined, model, memory], ['Hook -> Agent', ...remembers]), [
    { rule, path: '/nodes/3/parameters', severity: 'error', says: 'sessionId' },
  ]),
];
