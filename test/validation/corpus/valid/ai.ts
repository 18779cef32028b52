import { type Case, flow, node, valid } from '../../case.ts';

const using = (type: string) => ({ credentials: { [type]: { id: 'cR3d', name: 'Mine' } } });
const chat = node('Chat', 'ai:chatTrigger', 1.1, { options: {} }, { webhookId: 'c4a7' });
const start = node('Start', 'manualTrigger', 1);
const model = node(
  'Model',
  'ai:lmChatOpenAi',
  1.2,
  { model: { __rl: true, mode: 'list', value: 'gpt-4o-mini' }, options: {} },
  using('openAiApi'),
);
const agent = node('Agent', 'ai:agent', 2, { options: {} });
const embeddings = node('Embeddings', 'ai:embeddingsOpenAi', 1.2, { options: {} }, using('openAiApi'));

export const cases: Case[] = [
  valid(
    'an agent with chat, memory and a calculator',
    flow(
      [chat, agent, model, node('Memory', 'ai:memoryBufferWindow', 1.3), node('Reckon', 'ai:toolCalculator', 1)],
      ['Chat -> Agent', 'Model -ai_languageModel-> Agent', 'Memory -ai_memory-> Agent', 'Reckon -ai_tool-> Agent'],
    ),
  ),
  valid(
    'an agent with a node as its tool',
    flow(
      [
        chat,
        agent,
        model,
        node('Ask the web', 'httpRequestTool', 4.2, {
          toolDescription: 'Fetches a page',
          url: "={{ $fromAI('url', 'What to fetch', 'string') }}",
          options: {},
        }),
      ],
      ['Chat -> Agent', 'Model -ai_languageModel-> Agent', 'Ask the web -ai_tool-> Agent'],
    ),
  ),
  valid(
    'an agent with its own prompt',
    flow(
      [
        start,
        node('Agent', 'ai:agent', 2, {
          promptType: 'define',
          text: '={{ $json.question }}',
          options: { systemMessage: 'Be short.' },
        }),
        model,
      ],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent'],
    ),
  ),
  valid(
    'an agent with structured output',
    flow(
      [
        start,
        node('Agent', 'ai:agent', 2, { promptType: 'define', text: 'Who?', hasOutputParser: true, options: {} }),
        model,
        node('Form', 'ai:outputParserStructured', 1.2, { jsonSchemaExample: '{ "name": "Ada" }' }),
      ],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Form -ai_outputParser-> Agent'],
    ),
  ),
  valid(
    'a chain',
    flow(
      [start, node('Chain', 'ai:chainLlm', 1.7, { promptType: 'define', text: 'Say hello', batching: {} }), model],
      ['Start -> Chain', 'Model -ai_languageModel-> Chain'],
    ),
  ),
  valid(
    'a summary',
    flow(
      [start, node('Sum up', 'ai:chainSummarization', 2.1, { options: {} }), model],
      ['Start -> Sum up', 'Model -ai_languageModel-> Sum up'],
    ),
  ),
  valid(
    'text classified into one of two classes',
    flow(
      [
        start,
        node('Classify', 'ai:textClassifier', 1.1, {
          inputText: '={{ $json.text }}',
          categories: {
            categories: [
              { category: 'Praise', description: 'Nice' },
              { category: 'Blame', description: 'Not nice' },
            ],
          },
          options: {},
        }),
        model,
        node('Praise', 'noOp', 1),
        node('Blame', 'noOp', 1),
      ],
      ['Start -> Classify', 'Model -ai_languageModel-> Classify', 'Classify:0 -> Praise', 'Classify:1 -> Blame'],
    ),
  ),
  valid(
    'documents into a store',
    flow(
      [
        start,
        node('Store', 'ai:vectorStoreInMemory', 1.3, {
          mode: 'insert',
          memoryKey: { __rl: true, mode: 'id', value: 'docs' },
        }),
        embeddings,
        node('Loader', 'ai:documentDefaultDataLoader', 1.1, { textSplittingMode: 'custom', options: {} }),
        node('Splitter', 'ai:textSplitterRecursiveCharacterTextSplitter', 1, { chunkSize: 500, options: {} }),
      ],
      [
        'Start -> Store',
        'Embeddings -ai_embedding-> Store',
        'Loader -ai_document-> Store',
        'Splitter -ai_textSplitter-> Loader',
      ],
    ),
  ),
  valid(
    'a store as a tool',
    flow(
      [
        chat,
        agent,
        model,
        node('Store', 'ai:vectorStoreInMemory', 1.3, {
          mode: 'retrieve-as-tool',
          toolDescription: 'Finds documents',
          memoryKey: { __rl: true, mode: 'id', value: 'docs' },
        }),
        embeddings,
      ],
      [
        'Chat -> Agent',
        'Model -ai_languageModel-> Agent',
        'Store -ai_tool-> Agent',
        'Embeddings -ai_embedding-> Store',
      ],
    ),
  ),
  valid(
    'questions to a store',
    flow(
      [
        chat,
        node('Answer', 'ai:chainRetrievalQa', 1.6, { options: {} }),
        model,
        node('Retriever', 'ai:retrieverVectorStore', 1, {}),
        node('Store', 'ai:vectorStoreInMemory', 1.3, {
          memoryKey: { __rl: true, mode: 'id', value: 'docs' },
          mode: 'retrieve',
        }),
        embeddings,
      ],
      [
        'Chat -> Answer',
        'Model -ai_languageModel-> Answer',
        'Retriever -ai_retriever-> Answer',
        'Store -ai_vectorStore-> Retriever',
        'Embeddings -ai_embedding-> Store',
      ],
    ),
  ),
  valid(
    'tools for MCP clients',
    flow(
      [
        node('Tools', 'ai:mcpTrigger', 2, { path: 'corpus-tools' }, { webhookId: 'm1' }),
        node('Reckon', 'ai:toolCalculator', 1),
        node('Twice', 'ai:toolCode', 1.3, {
          description: 'Doubles a number',
          jsCode: 'return String(Number(query) * 2);',
        }),
      ],
      ['Reckon -ai_tool-> Tools', 'Twice -ai_tool-> Tools'],
    ),
  ),
  valid(
    'facts extracted from text',
    flow(
      [
        start,
        node('Extract', 'ai:informationExtractor', 1.1, {
          text: '={{ $json.text }}',
          attributes: { attributes: [{ name: 'city', description: 'Where it happened' }] },
          options: {},
        }),
        model,
      ],
      ['Start -> Extract', 'Model -ai_languageModel-> Extract'],
    ),
  ),
];
