import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const ollama = { credentials: { ollamaApi: { id: '1', name: 'Mine' } } };
const model = node('Model', 'ai:lmChatOllama', 1, { options: {} }, ollama);
const agent = node('Agent', 'ai:agent', 2, { promptType: 'define', text: 'Hi', options: {} });
const steps = (...names: string[]) => names.map((name) => node(name, 'noOp', 1));
const is = (value: string) => ({
  options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
  combinator: 'and',
  conditions: [
    { id: 'c', leftValue: '={{ $json.a }}', rightValue: value, operator: { type: 'string', operation: 'equals' } },
  ],
});
const which = (more: object = {}) =>
  node('Which?', 'switch', 3.2, {
    rules: { values: ['a', 'b'].map((value) => ({ conditions: is(value), renameOutput: true, outputKey: value })) },
    options: { ...more },
  });
const merge = (numberInputs?: number) => node('Both', 'merge', 3.2, numberInputs === undefined ? {} : { numberInputs });
const classify = (options: object) =>
  node('Classify', 'ai:textClassifier', 1.1, {
    inputText: '={{ $json.text }}',
    categories: { categories: [{ category: 'Praise' }, { category: 'Blame' }] },
    options,
  });
const fetch = (more: object = {}) =>
  node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', options: {} }, { ...more });
const at = (path: string, says?: string) => ({
  rule: 'output-index',
  path,
  severity: 'error' as const,
  ...(says !== undefined && { says }),
});

export const cases: Case[] = [
  broken(
    'a third output of an If',
    flow(
      [start, node('Sure?', 'if', 2.2, { conditions: is('a'), options: {} }), ...steps('A')],
      ['Start -> Sure?', 'Sure?:2 -> A'],
    ),
    [at('/connections/Sure?/main/2/0', '2 outputs')],
  ),
  broken(
    'a third output of a Switch with two rules',
    flow(
      [start, which(), ...steps('A', 'B', 'C')],
      ['Start -> Which?', 'Which?:0 -> A', 'Which?:1 -> B', 'Which?:2 -> C'],
    ),
    [at('/connections/Which?/main/2/0', '0: a, 1: b')],
  ),
  valid(
    'a third output of a Switch with two rules and a fallback',
    flow(
      [start, which({ fallbackOutput: 'extra' }), ...steps('A', 'C')],
      ['Start -> Which?', 'Which?:0 -> A', 'Which?:2 -> C'],
    ),
  ),
  broken(
    'a fifth output of a comparison',
    flow(
      [
        start,
        ...steps('A'),
        node('Compare', 'compareDatasets', 2.3, {
          mergeByFields: { values: [{ field1: 'id', field2: 'id' }] },
          options: {},
        }),
        ...steps('B'),
      ],
      ['Start -> A', 'A -> Compare', 'Start -> Compare:1', 'Compare:4 -> B'],
    ),
    [at('/connections/Compare/main/4/0', '4 outputs')],
  ),
  broken(
    'a third class of two',
    flow(
      [start, classify({}), model, ...steps('A')],
      ['Start -> Classify', 'Model -ai_languageModel-> Classify', 'Classify:2 -> A'],
    ),
    [at('/connections/Classify/main/2/0', 'Praise')],
  ),
  valid(
    'an output for other classes',
    flow(
      [start, classify({ fallback: 'other' }), model, ...steps('A')],
      ['Start -> Classify', 'Model -ai_languageModel-> Classify', 'Classify:2 -> A'],
    ),
  ),
  valid(
    'a Switch whose number of outputs is an expression',
    flow(
      [
        start,
        node('Which?', 'switch', 3.2, { mode: 'expression', numberOutputs: 5, output: '={{ $json.n }}' }),
        ...steps('A'),
      ],
      ['Start -> Which?', 'Which?:4 -> A'],
    ),
  ),
  broken(
    'an output above that number',
    flow(
      [
        start,
        node('Which?', 'switch', 3.2, { mode: 'expression', numberOutputs: 2, output: '={{ $json.n }}' }),
        ...steps('A'),
      ],
      ['Start -> Which?', 'Which?:4 -> A'],
    ),
    [at('/connections/Which?/main/4/0')],
  ),
  broken(
    'an output of a webhook for a method that it does not have',
    flow(
      [
        node(
          'Hook',
          'webhook',
          2,
          { path: 'corpus-m', multipleMethods: true, httpMethod: ['GET', 'POST'], options: {} },
          { webhookId: 'm1' },
        ),
        ...steps('A'),
      ],
      ['Hook:2 -> A'],
    ),
    [at('/connections/Hook/main/2/0', '2 outputs')],
  ),
  broken(
    'an error output that is off',
    flow([start, fetch(), ...steps('Fine', 'Failed')], ['Start -> Fetch', 'Fetch:0 -> Fine', 'Fetch:1 -> Failed']),
    [
      {
        rule: 'error-output-off',
        path: '/connections/Fetch/main/1/0',
        severity: 'error',
        says: 'continueErrorOutput',
        fixed: flow(
          [start, fetch({ onError: 'continueErrorOutput' }), ...steps('Fine', 'Failed')],
          ['Start -> Fetch', 'Fetch:0 -> Fine', 'Fetch:1 -> Failed'],
        ),
      },
    ],
  ),
  broken(
    'an error output while onError is continueRegularOutput',
    flow(
      [start, fetch({ onError: 'continueRegularOutput' }), ...steps('Fine', 'Failed')],
      ['Start -> Fetch', 'Fetch:0 -> Fine', 'Fetch:1 -> Failed'],
    ),
    [
      {
        rule: 'error-output-off',
        path: '/connections/Fetch/main/1/0',
        severity: 'error',
        says: 'continueRegularOutput',
      },
    ],
  ),
  valid(
    'an error output after two others',
    flow(
      [
        start,
        node('Sure?', 'if', 2.2, { conditions: is('a'), options: {} }, { onError: 'continueErrorOutput' }),
        ...steps('A', 'B', 'C'),
      ],
      ['Start -> Sure?', 'Sure?:0 -> A', 'Sure?:1 -> B', 'Sure?:2 -> C'],
    ),
  ),
  broken(
    'an unconnected error output',
    flow([start, fetch({ onError: 'continueErrorOutput' }), ...steps('Fine')], ['Start -> Fetch', 'Fetch:0 -> Fine']),
    [{ rule: 'error-output-unused', path: '/nodes/1/onError', severity: 'warning' }],
  ),
  broken(
    'a third input of a Merge of two',
    flow(
      [start, ...steps('A', 'B', 'C'), merge()],
      ['Start -> A', 'Start -> B', 'Start -> C', 'A -> Both', 'B -> Both:1', 'C -> Both:2'],
    ),
    [{ rule: 'input-index', path: '/connections/C/main/0/0/index', severity: 'error', says: '"numberInputs" to 3' }],
  ),
  valid(
    'a fourth input of a Merge of four',
    flow(
      [start, ...steps('A', 'B', 'C', 'D'), merge(4)],
      [
        'Start -> A',
        'Start -> B',
        'Start -> C',
        'Start -> D',
        'A -> Both',
        'B -> Both:1',
        'C -> Both:2',
        'D -> Both:3',
      ],
    ),
  ),
  broken('a second input of a node with one', flow([start, ...steps('A')], ['Start -> A:1']), [
    {
      rule: 'input-index',
      path: '/connections/Start/main/0/0/index',
      severity: 'error',
      fixed: flow([start, ...steps('A')], ['Start -> A']),
    },
  ]),
  broken(
    'a second model without a fallback',
    flow(
      [start, agent, model, node('Other', 'ai:lmChatOllama', 1, { options: {} }, ollama)],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Other -ai_languageModel-> Agent:1'],
    ),
    [
      {
        rule: 'input-index',
        path: '/connections/Other/ai_languageModel/0/0/index',
        severity: 'error',
        says: 'needsFallback',
      },
    ],
  ),
  broken('a model as a tool', flow([start, agent, model], ['Start -> Agent', 'Model -ai_tool-> Agent']), [
    {
      rule: 'wrong-output-kind',
      path: '/connections/Model/ai_tool/0/0',
      severity: 'error',
      says: 'language model',
      fixed: flow([start, agent, model], ['Start -> Agent', 'Model -ai_languageModel-> Agent']),
    },
  ]),
  broken(
    'a memory as a model',
    flow(
      [
        start,
        agent,
        model,
        node('Memory', 'ai:memoryBufferWindow', 1.3, { sessionIdType: 'customKey', sessionKey: 'k' }),
      ],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Memory -ai_languageModel-> Agent'],
    ),
    [
      {
        rule: 'wrong-output-kind',
        path: '/connections/Memory/ai_languageModel/0/0',
        severity: 'error',
        says: 'ai_memory',
      },
    ],
  ),
  broken('a model among the items', flow([start, agent, model], ['Start -> Agent', 'Model -> Agent']), [
    { rule: 'wrong-output-kind', path: '/connections/Model/main/0/0', severity: 'error' },
  ]),
  broken(
    'an agent connected to its model',
    flow([start, agent, model], ['Start -> Agent', 'Agent -ai_languageModel-> Model']),
    [
      {
        rule: 'wrong-output-kind',
        path: '/connections/Agent/ai_languageModel/0/0',
        severity: 'error',
        says: 'wrong way round',
      },
    ],
  ),
  broken(
    'a store that is not a tool in its mode',
    flow(
      [
        start,
        agent,
        model,
        node('Store', 'ai:vectorStoreInMemory', 1.3, {
          mode: 'load',
          prompt: 'x',
          memoryKey: { __rl: true, mode: 'id', value: 'k' },
        }),
        node('Embed', 'ai:embeddingsOllama', 1, {}, ollama),
      ],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Store -ai_tool-> Agent', 'Embed -ai_embedding-> Store'],
    ),
    [{ rule: 'wrong-output-kind', path: '/connections/Store/ai_tool/0/0', severity: 'error', says: 'mode' }],
  ),
  broken(
    'a regular node as a tool',
    flow(
      [start, agent, model, fetch()],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Fetch -ai_tool-> Agent'],
    ),
    [
      {
        rule: 'regular-node-as-tool',
        path: '/connections/Fetch/ai_tool/0/0',
        severity: 'error',
        says: 'n8n-nodes-base.httpRequestTool',
        fixed: changed(
          flow(
            [start, agent, model, fetch()],
            ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Fetch -ai_tool-> Agent'],
          ),
          '/nodes/3/type',
          'n8n-nodes-base.httpRequestTool',
        ),
      },
    ],
  ),
  broken(
    'a node as a tool, without a tool variant',
    flow(
      [start, agent, model, ...steps('A')],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'A -ai_tool-> Agent'],
    ),
    [
      {
        rule: 'regular-node-as-tool',
        path: '/connections/A/ai_tool/0/0',
        severity: 'error',
        says: 'toolWorkflow',
        fixed: null,
      },
    ],
  ),
  broken(
    'items into a trigger',
    flow(
      [start, ...steps('A'), node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } })],
      ['Start -> A', 'A -> Clock'],
    ),
    [{ rule: 'wrong-input-kind', path: '/connections/A/main/0/0', severity: 'error', says: 'trigger' }],
  ),
  broken(
    'items into a model',
    flow([start, agent, model], ['Start -> Agent', 'Start -> Model', 'Model -ai_languageModel-> Agent']),
    [{ rule: 'wrong-input-kind', path: '/connections/Start/main/0/1', severity: 'error', says: 'sub-node' }],
  ),
  broken(
    'items into a note',
    flow([start, ...steps('A'), node('Note', 'stickyNote', 1, { content: 'x' })], ['Start -> A', 'A -> Note']),
    [{ rule: 'wrong-input-kind', path: '/connections/A/main/0/0', severity: 'warning', says: 'note' }],
  ),
  broken(
    'a model for a node that accepts none',
    flow([start, ...steps('A'), model], ['Start -> A', 'Model -ai_languageModel-> A']),
    [{ rule: 'wrong-input-kind', path: '/connections/Model/ai_languageModel/0/0', severity: 'error' }],
  ),
  broken(
    'an output parser that is off',
    flow(
      [start, agent, model, node('Form', 'ai:outputParserStructured', 1.2, { jsonSchemaExample: '{ "name": "Ada" }' })],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Form -ai_outputParser-> Agent'],
    ),
    [
      {
        rule: 'wrong-input-kind',
        path: '/connections/Form/ai_outputParser/0/0',
        severity: 'warning',
        says: 'hasOutputParser',
      },
    ],
  ),
  broken(
    'the same connection twice',
    changed(flow([start, ...steps('A')], ['Start -> A']), '/connections/Start/main/0/-', {
      node: 'A',
      type: 'main',
      index: 0,
    }),
    [
      {
        rule: 'duplicate-connection',
        path: '/connections/Start/main/0/1',
        severity: 'warning',
        fixed: flow([start, ...steps('A')], ['Start -> A']),
      },
    ],
  ),
  valid('one node at both inputs of another', flow([start, merge()], ['Start -> Both', 'Start -> Both:1'])),
];
