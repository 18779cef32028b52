import { broken, type Case, flow, node, valid } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const ollama = { credentials: { ollamaApi: { id: '1', name: 'Mine' } } };
const model = node('Model', 'ai:lmChatOllama', 1, { options: {} }, ollama);
const other = node('Other', 'ai:lmChatOllama', 1, { options: {} }, ollama);
const agent = (more: object = {}) =>
  node('Agent', 'ai:agent', 2.1, { promptType: 'define', text: 'Hi', options: {}, ...more });
const embed = node('Embed', 'ai:embeddingsOllama', 1, {}, ollama);
const store = (mode: string, more: object = {}) =>
  node('Store', 'ai:vectorStoreInMemory', 1.3, { mode, memoryKey: { __rl: true, mode: 'id', value: 'k' }, ...more });
const loader = node('Loader', 'ai:documentDefaultDataLoader', 1.1, { options: {} });
const missing = (index: number, says: string) => ({
  rule: 'missing-sub-node',
  path: `/nodes/${index}`,
  severity: 'error' as const,
  says,
});
const unparsed = (text: string) =>
  flow(
    [
      start,
      agent({ hasOutputParser: true }),
      model,
      node('Keep', 'set', 3.4, {
        assignments: { assignments: [{ id: '1', name: 'a', type: 'string', value: text }] },
        options: {},
      }),
    ],
    ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Agent -> Keep'],
  );
const parser = node('Form', 'ai:outputParserStructured', 1.2, { jsonSchemaExample: '{ "name": "Ada" }' });

export const cases: Case[] = [
  broken('an agent without a model', flow([start, agent()], ['Start -> Agent']), [missing(1, 'ai_languageModel')]),
  broken(
    'an agent whose model is disabled',
    flow(
      [start, agent(), { ...model, disabled: true } as typeof model],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent'],
    ),
    [missing(1, '"Model" is disabled')],
  ),
  broken(
    'a chain without a model',
    flow(
      [start, node('Chain', 'ai:chainLlm', 1.7, { promptType: 'define', text: 'Hi', batching: {} })],
      ['Start -> Chain'],
    ),
    [missing(1, 'ai_languageModel')],
  ),
  broken(
    'questions without a retriever',
    flow(
      [start, node('Ask', 'ai:chainRetrievalQa', 1.6, { promptType: 'define', text: 'Hi', options: {} }), model],
      ['Start -> Ask', 'Model -ai_languageModel-> Ask'],
    ),
    [missing(1, 'ai_retriever')],
  ),
  broken('a store without embeddings', flow([start, store('load', { prompt: 'x' })], ['Start -> Store']), [
    missing(1, 'ai_embedding'),
  ]),
  broken(
    'a store to fill without documents',
    flow([start, store('insert'), embed], ['Start -> Store', 'Embed -ai_embedding-> Store']),
    [missing(1, 'ai_document')],
  ),
  valid(
    'a store to fill',
    flow(
      [start, store('insert'), embed, loader],
      ['Start -> Store', 'Embed -ai_embedding-> Store', 'Loader -ai_document-> Store'],
    ),
  ),
  valid(
    'a disabled agent without a model',
    flow(
      [start, { ...agent(), disabled: true } as typeof start, node('A', 'noOp', 1)],
      ['Start -> Agent', 'Agent -> A'],
    ),
  ),
  broken(
    'an agent without its fallback model',
    flow([start, agent({ needsFallback: true }), model], ['Start -> Agent', 'Model -ai_languageModel-> Agent']),
    [missing(1, 'index 1')],
  ),
  valid(
    'an agent with a fallback model',
    flow(
      [start, agent({ needsFallback: true }), model, other],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Other -ai_languageModel-> Agent:1'],
    ),
  ),
  broken(
    'an agent without a model that nothing leads to',
    flow([start, node('A', 'noOp', 1), agent(), node('B', 'noOp', 1)], ['Start -> A', 'Agent -> B']),
    [
      { rule: 'missing-sub-node', path: '/nodes/2', severity: 'warning' },
      { rule: 'unreachable-node', path: '/nodes/2' },
    ],
  ),
  broken(
    'an agent without a model, whose answer is pinned',
    flow([start, agent()], ['Start -> Agent'], { pinData: { Agent: [{ json: { output: 'x' } }] } }),
    [{ rule: 'missing-sub-node', path: '/nodes/1', severity: 'warning' }],
  ),
  broken(
    'an agent with two models',
    flow(
      [start, agent(), model, other],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Other -ai_languageModel-> Agent'],
    ),
    [
      {
        rule: 'too-many-sub-nodes',
        path: '/connections/Other/ai_languageModel/0/0',
        severity: 'error',
        says: '"Model", "Other"',
      },
    ],
  ),
  valid(
    'an agent with two models, one of them disabled',
    flow(
      [start, agent(), model, { ...other, disabled: true } as typeof other],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Other -ai_languageModel-> Agent'],
    ),
  ),
  valid(
    'one model for two agents',
    flow(
      [start, agent(), model, { ...agent(), name: 'Second' }],
      ['Start -> Agent', 'Agent -> Second', 'Model -ai_languageModel-> Agent', 'Model -ai_languageModel-> Second'],
    ),
  ),
  broken(
    'a model without chat for an agent',
    flow(
      [
        start,
        agent(),
        node(
          'Text',
          'ai:lmOpenHuggingFaceInference',
          1,
          { model: 'm', options: {} },
          { credentials: { huggingFaceApi: { id: '1', name: 'Mine' } } },
        ),
      ],
      ['Start -> Agent', 'Text -ai_languageModel-> Agent'],
    ),
    [
      {
        rule: 'unfitting-sub-node',
        path: '/connections/Text/ai_languageModel/0/0',
        severity: 'warning',
        says: 'chat model',
      },
    ],
  ),
  broken(
    'a missing parser',
    flow([start, agent({ hasOutputParser: true }), model], ['Start -> Agent', 'Model -ai_languageModel-> Agent']),
    [
      {
        rule: 'output-parser-missing',
        path: '/nodes/1/parameters/hasOutputParser',
        severity: 'warning',
        fixed: flow(
          [start, agent({ hasOutputParser: false }), model],
          ['Start -> Agent', 'Model -ai_languageModel-> Agent'],
        ),
      },
    ],
  ),
  ...['={{ $json.output }}', '={{ $json.output.trim() }}', "=Said: {{ $('Agent').item.json.output }}"].map((text) =>
    broken(`a parser that is wanted and not there, and a text will do: ${text}`, unparsed(text), [
      { rule: 'output-parser-missing', path: '/nodes/1/parameters/hasOutputParser', severity: 'info' },
    ]),
  ),
  ...['={{ $json.output.title }}', '={{ $json.output[0] }}', '={{ $json.output.map((one) => one.a).length }}'].map(
    (text) =>
      broken(`a parser that is wanted and not there, and a part of its answer is read: ${text}`, unparsed(text), [
        { rule: 'output-parser-missing', path: '/nodes/1/parameters/hasOutputParser', severity: 'warning' },
      ]),
  ),
  valid(
    'a connected parser',
    flow(
      [start, agent({ hasOutputParser: true }), model, parser],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Form -ai_outputParser-> Agent'],
    ),
  ),
  broken('a model that nobody uses', flow([start, node('A', 'noOp', 1), model], ['Start -> A']), [
    { rule: 'unused-sub-node', path: '/nodes/2', severity: 'warning', says: 'ai_languageModel' },
  ]),
  broken(
    'a tool that nobody uses',
    flow(
      [start, agent(), model, node('Reckon', 'ai:toolCalculator', 1)],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent'],
    ),
    [{ rule: 'unused-sub-node', path: '/nodes/3', severity: 'warning', says: 'ai_tool' }],
  ),
  valid(
    'an assistant as a tool of another',
    flow(
      [
        start,
        agent(),
        model,
        node('Helper', 'ai:agentTool', 2.2, { text: "={{ $fromAI('q') }}", options: {}, toolDescription: 'Helps' }),
        node('Reckon', 'ai:toolCalculator', 1),
      ],
      [
        'Start -> Agent',
        'Model -ai_languageModel-> Agent',
        'Model -ai_languageModel-> Helper',
        'Helper -ai_tool-> Agent',
        'Reckon -ai_tool-> Helper',
      ],
    ),
  ),
];
