import { flow, node } from '../case.ts';
import type { Trial } from './trial.ts';

const openAi = { credentials: { openAiApi: { id: '11', name: 'OpenAI' } } };
const model = node(
  'GPT',
  'ai:lmChatOpenAi',
  1.2,
  { model: { __rl: true, mode: 'list', value: 'gpt-4o-mini' }, options: {} },
  openAi,
);

export const valid: readonly Trial[] = [
  {
    name: 'a webhook that is answered by a node',
    workflow: flow(
      [
        node('Order', 'webhook', 2, { httpMethod: 'POST', path: 'orders', responseMode: 'responseNode', options: {} }),
        node('Price', 'set', 3.4, {
          assignments: {
            assignments: [
              { id: '1', name: 'total', type: 'number', value: '={{ $json.body.amount * 1.19 }}' },
              { id: '2', name: 'who', type: 'string', value: '=Dear {{ $json.body.name ?? "customer" }}' },
            ],
          },
          includeOtherFields: true,
          options: {},
        }),
        node('Answer', 'respondToWebhook', 1.1, {
          respondWith: 'json',
          responseBody: '={{ { "total": $json.total, "ok": true } }}',
          options: { responseCode: 201 },
        }),
      ],
      ['Order -> Price', 'Price -> Answer'],
    ),
  },
  {
    name: 'a cron schedule with seconds, and a request with pagination',
    workflow: flow(
      [
        node('Mornings', 'scheduleTrigger', 1.2, {
          rule: { interval: [{ field: 'cronExpression', expression: '0 30 7 * * 1-5' }] },
        }),
        node('All pages', 'httpRequest', 4.2, {
          url: 'https://api.example.com/v1/items',
          sendQuery: true,
          queryParameters: {
            parameters: [{ name: 'since', value: "={{ $now.minus({ days: 1 }).toFormat('yyyy-MM-dd') }}" }],
          },
          options: {
            pagination: {
              pagination: {
                paginationMode: 'updateAParameterInEachRequest',
                parameters: { parameters: [{ name: 'page', value: '={{ $pageCount + 1 }}' }] },
                paginationCompleteWhen: 'other',
                completeExpression: '={{ $response.body.items.length === 0 }}',
              },
            },
          },
        }),
        node('Each', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
      ],
      ['Mornings -> All pages', 'All pages -> Each'],
    ),
  },
  {
    name: 'an agent with a model, memory, tools and a parser',
    workflow: flow(
      [
        node('Chat', 'ai:chatTrigger', 1.1, { options: {} }, { webhookId: '5f0c2a5e-3a31-4f6d-8e11-0a4f6f9d2b01' }),
        node('Helper', 'ai:agent', 2, {
          hasOutputParser: true,
          options: { systemMessage: '=Today is {{ $today.toISODate() }}. Be brief.' },
        }),
        model,
        node('Memory', 'ai:memoryBufferWindow', 1.3, { contextWindowLength: 8 }),
        node('Calculator', 'ai:toolCalculator', 1),
        node('Weather', 'httpRequestTool', 4.2, {
          toolDescription: 'The weather of a city',
          url: "=https://api.example.com/weather/{{ $fromAI('city', 'Name of the city', 'string') }}",
          options: {},
        }),
        node('Shape', 'ai:outputParserStructured', 1.2, { jsonSchemaExample: '{ "answer": "42", "sure": true }' }),
      ],
      [
        'Chat -> Helper',
        'GPT -ai_languageModel-> Helper',
        'Memory -ai_memory-> Helper',
        'Calculator -ai_tool-> Helper',
        'Weather -ai_tool-> Helper',
        'Shape -ai_outputParser-> Helper',
      ],
    ),
  },
  {
    name: 'documents from a form into a vector store',
    workflow: flow(
      [
        node(
          'Upload',
          'formTrigger',
          2.2,
          {
            formTitle: 'Documents',
            formFields: {
              values: [{ fieldLabel: 'File', fieldType: 'file', acceptFileTypes: '.pdf', requiredField: true }],
            },
            options: {},
          },
          { webhookId: 'b6a4b6bb-1ad0-4f8f-9c63-4d1b3b1f9e02' },
        ),
        node('Store', 'ai:vectorStoreInMemory', 1.2, {
          mode: 'insert',
          memoryKey: { __rl: true, mode: 'list', value: 'docs' },
        }),
        node('Embeddings', 'ai:embeddingsOpenAi', 1.2, { options: {} }, openAi),
        node('Loader', 'ai:documentDefaultDataLoader', 1, { dataType: 'binary', options: {} }),
        node('Splitter', 'ai:textSplitterRecursiveCharacterTextSplitter', 1, { chunkOverlap: 100, options: {} }),
      ],
      [
        'Upload -> Store',
        'Embeddings -ai_embedding-> Store',
        'Loader -ai_document-> Store',
        'Splitter -ai_textSplitter-> Loader',
      ],
    ),
  },
  {
    name: 'a question answered from a vector store',
    workflow: flow(
      [
        node('Ask', 'manualTrigger', 1),
        node('Answer', 'ai:chainRetrievalQa', 1.4, { promptType: 'define', text: 'What is our policy?', options: {} }),
        model,
        node('Retriever', 'ai:retrieverVectorStore', 1, { topK: 6 }),
        node(
          'Qdrant',
          'ai:vectorStoreQdrant',
          1.1,
          { mode: 'retrieve', qdrantCollection: { __rl: true, mode: 'id', value: 'policies' }, options: {} },
          { credentials: { qdrantApi: { id: '12', name: 'Qdrant' } } },
        ),
        node('Embeddings', 'ai:embeddingsOpenAi', 1.2, { options: {} }, openAi),
      ],
      [
        'Ask -> Answer',
        'GPT -ai_languageModel-> Answer',
        'Retriever -ai_retriever-> Answer',
        'Qdrant -ai_vectorStore-> Retriever',
        'Embeddings -ai_embedding-> Qdrant',
      ],
    ),
  },
  {
    name: 'a loop over batches with a pause',
    workflow: flow(
      [
        node('Start', 'manualTrigger', 1),
        node('List', 'httpRequest', 4.2, { url: 'https://api.example.com/users', options: {} }),
        node('Loop', 'splitInBatches', 3, { batchSize: 10, options: {} }),
        node('Send', 'httpRequest', 4.2, {
          method: 'PUT',
          url: '=https://api.example.com/users/{{ $json.id }}',
          sendBody: true,
          specifyBody: 'json',
          jsonBody: '={\n  "name": "{{ $json.name }}",\n  "age": {{ $json.age }}\n}',
          options: { timeout: 10000 },
        }),
        node('Pause', 'wait', 1.1, { amount: 2 }, { webhookId: '7d7a1c1d-07bb-4a33-8d3c-0f4a0c3c7c03' }),
        node('Sum', 'aggregate', 1, { aggregate: 'aggregateAllItemData', options: {} }),
      ],
      ['Start -> List', 'List -> Loop', 'Loop:0 -> Sum', 'Loop:1 -> Send', 'Send -> Pause', 'Pause -> Loop'],
    ),
  },
  {
    name: 'three branches merged into one',
    workflow: flow(
      [
        node('Start', 'manualTrigger', 1),
        node('A', 'set', 3.4, { mode: 'raw', jsonOutput: '{ "a": 1 }', options: {} }),
        node('B', 'set', 3.4, { mode: 'raw', jsonOutput: '={{ { b: $runIndex } }}', options: {} }),
        node('C', 'noOp', 1),
        node('All', 'merge', 3, { numberInputs: 3 }),
        node('By key', 'merge', 3, {
          mode: 'combine',
          fieldsToMatchString: 'id',
          joinMode: 'enrichInput1',
          options: {},
        }),
      ],
      [
        'Start -> A',
        'Start -> B',
        'Start -> C',
        'A -> All:0',
        'B -> All:1',
        'C -> All:2',
        'All -> By key:0',
        'C -> By key:1',
      ],
    ),
  },
  {
    name: 'a switch with named outputs and a fallback',
    workflow: flow(
      [
        node('In', 'webhook', 2, { path: 'tickets', httpMethod: 'POST', options: {} }),
        node('Kind', 'switch', 3.2, {
          rules: {
            values: ['bug', 'wish'].map((kind) => ({
              conditions: {
                options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
                conditions: [
                  {
                    id: kind,
                    leftValue: '={{ $json.body.kind }}',
                    rightValue: kind,
                    operator: { type: 'string', operation: 'equals' },
                  },
                ],
                combinator: 'and',
              },
              renameOutput: true,
              outputKey: kind,
            })),
          },
          options: { fallbackOutput: 'extra' },
        }),
        node('Bug', 'noOp', 1),
        node('Wish', 'noOp', 1),
        node('Rest', 'stopAndError', 1, { errorMessage: '=Unknown kind {{ $json.body.kind }}' }),
      ],
      ['In -> Kind', 'Kind:0 -> Bug', 'Kind:1 -> Wish', 'Kind:2 -> Rest'],
    ),
  },
  {
    name: 'a node with an error output, and an error workflow',
    workflow: flow(
      [
        node('Every 5 minutes', 'scheduleTrigger', 1.2, {
          rule: { interval: [{ field: 'minutes', minutesInterval: 5 }] },
        }),
        node(
          'Try',
          'httpRequest',
          4.2,
          { url: 'https://status.example.com/health', options: {} },
          { onError: 'continueErrorOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 },
        ),
        node('Fine', 'noOp', 1),
        node(
          'Tell',
          'slack',
          2.2,
          {
            select: 'channel',
            channelId: { __rl: true, mode: 'name', value: '#alerts' },
            text: '=Down: {{ $json.error.message }} ({{ $execution.id }})',
            otherOptions: {},
          },
          { credentials: { slackApi: { id: '13', name: 'Slack' } } },
        ),
      ],
      ['Every 5 minutes -> Try', 'Try:0 -> Fine', 'Try:1 -> Tell'],
      { settings: { executionOrder: 'v1', timezone: 'Europe/Berlin', errorWorkflow: 'x1Y2z3' } },
    ),
  },
  {
    name: 'a workflow that others call, and that calls another',
    workflow: flow(
      [
        node('When called', 'executeWorkflowTrigger', 1.1, {
          workflowInputs: { values: [{ name: 'customer' }, { name: 'amount', type: 'number' }] },
        }),
        node('Ask the other', 'executeWorkflow', 1.2, {
          workflowId: { __rl: true, mode: 'id', value: 'aB3dE5' },
          workflowInputs: {
            mappingMode: 'defineBelow',
            value: { id: '={{ $json.customer }}' },
            matchingColumns: [],
            schema: [
              {
                id: 'id',
                displayName: 'id',
                required: false,
                defaultMatch: false,
                display: true,
                canBeUsedToMatch: true,
                type: 'string',
              },
            ],
            attemptToConvertTypes: false,
            convertFieldsToString: true,
          },
          options: { waitForSubWorkflow: true },
        }),
        node('Only good', 'filter', 2.2, {
          conditions: {
            options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
            conditions: [
              {
                id: 'f',
                leftValue: "={{ $('When called').item.json.amount }}",
                rightValue: 100,
                operator: { type: 'number', operation: 'gte' },
              },
              {
                id: 'g',
                leftValue: '={{ $json.ok }}',
                rightValue: '',
                operator: { type: 'boolean', operation: 'true', singleValue: true },
              },
            ],
            combinator: 'and',
          },
          options: {},
        }),
      ],
      ['When called -> Ask the other', 'Ask the other -> Only good'],
    ),
  },
  {
    name: 'a form of several pages',
    workflow: flow(
      [
        node(
          'Apply',
          'formTrigger',
          2.2,
          {
            formTitle: 'Apply',
            formFields: {
              values: [
                { fieldLabel: 'Name', requiredField: true },
                {
                  fieldLabel: 'Role',
                  fieldType: 'dropdown',
                  fieldOptions: { values: [{ option: 'Cook' }, { option: 'Baker' }] },
                },
              ],
            },
            options: {},
          },
          { webhookId: '0c1f7c65-6c7e-4e3a-b70c-1f6e1a6e9a04' },
        ),
        node(
          'More',
          'form',
          1,
          { formFields: { values: [{ fieldLabel: 'Born', fieldType: 'date' }] }, options: { formTitle: 'About you' } },
          { webhookId: '0c1f7c65-6c7e-4e3a-b70c-1f6e1a6e9a05' },
        ),
        node(
          'Thanks',
          'form',
          1,
          { operation: 'completion', completionTitle: "=Thank you, {{ $('Apply').item.json.Name }}", options: {} },
          { webhookId: '0c1f7c65-6c7e-4e3a-b70c-1f6e1a6e9a06' },
        ),
      ],
      ['Apply -> More', 'More -> Thanks'],
    ),
  },
  {
    name: 'code in both languages',
    workflow: flow(
      [
        node('Start', 'manualTrigger', 1),
        node('JavaScript', 'code', 2, {
          jsCode: [
            'const seen = new Set();',
            '// braces such as {{ name }} are only text here',
            'const rows = $input.all().filter(({ json }) => json?.id && !seen.has(json.id) && seen.add(json.id));',
            'for await (const row of rows) { row.json.slug = row.json.name?.replace(/[^a-z0-9]+/gi, "-") ?? null; }',
            'return rows.map(({ json }, index) => ({ json: { ...json, index }, pairedItem: index }));',
          ].join('\n'),
        }),
        node('One by one', 'code', 2, {
          mode: 'runOnceForEachItem',
          jsCode:
            "const first = $('JavaScript').first().json;\nreturn { json: { ...$json, same: first.id === $json.id } };",
        }),
        node('Python', 'code', 2, {
          language: 'pythonNative',
          pythonCode:
            'result = []\nfor item in _items:\n    total = sum(x["n"] for x in item["json"].get("rows", []))\n    result.append({"json": {"total": total, "text": f"{total:.2f}"}})\nreturn result',
        }),
      ],
      ['Start -> JavaScript', 'JavaScript -> One by one', 'One by one -> Python'],
    ),
  },
  {
    name: 'SQL with parameters, and with the current date',
    workflow: flow(
      [
        node('Start', 'manualTrigger', 1),
        node(
          'Find',
          'postgres',
          2.5,
          {
            operation: 'executeQuery',
            query: 'SELECT * FROM orders WHERE customer = $1 AND state = $2;',
            options: { queryReplacement: '={{ $json.customer }},{{ $json.state }}' },
          },
          { credentials: { postgres: { id: '14', name: 'Shop' } } },
        ),
        node(
          'Today',
          'postgres',
          2.5,
          {
            operation: 'executeQuery',
            query: "=SELECT count(*) FROM orders WHERE day = '{{ $today.toISODate() }}'",
            options: {},
          },
          { credentials: { postgres: { id: '14', name: 'Shop' } } },
        ),
      ],
      ['Start -> Find', 'Find -> Today'],
    ),
  },
  {
    name: 'the newest versions next to old ones',
    workflow: flow(
      [
        node('Start', 'manualTrigger', 1),
        node('New request', 'httpRequest', 4.5, { url: 'https://example.com/a', options: {} }),
        node('New set', 'set', 3.5, {
          assignments: { assignments: [{ id: 'n', name: 'tags', type: 'array', value: '={{ ["a", "b"] }}' }] },
          options: {},
        }),
        node('Old if', 'if', 1, {
          conditions: { string: [{ value1: '={{ $json["a"] }}', operation: 'contains', value2: 'x' }] },
        }),
        node('Old set', 'set', 1, { values: { string: [{ name: 'b', value: 'c' }] }, options: {} }),
        node('Old request', 'httpRequest', 2, { url: 'https://example.com/b', options: {} }),
        node('New if', 'if', 2.3, {
          conditions: {
            options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 3 },
            conditions: [
              {
                id: 'q',
                leftValue: '={{ $json.tags }}',
                rightValue: 'a',
                operator: { type: 'array', operation: 'contains', rightType: 'any' },
              },
            ],
            combinator: 'or',
          },
          options: {},
        }),
      ],
      [
        'Start -> New request',
        'New request -> New set',
        'New set -> Old if',
        'Old if:0 -> Old set',
        'Old if:1 -> Old request',
        'Old set -> New if',
      ],
    ),
  },
  {
    name: 'polling until it is done',
    workflow: flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Begin', 'httpRequest', 4.2, { method: 'POST', url: 'https://api.example.com/jobs', options: {} }),
        node('State', 'httpRequest', 4.2, {
          url: "=https://api.example.com/jobs/{{ $('Begin').item.json.id }}",
          options: {},
        }),
        node('Done?', 'if', 2.2, {
          conditions: {
            options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
            conditions: [
              {
                id: 'd',
                leftValue: '={{ $json.state }}',
                rightValue: 'done',
                operator: { type: 'string', operation: 'equals' },
              },
            ],
            combinator: 'and',
          },
          options: {},
        }),
        node('Wait', 'wait', 1.1, { amount: 30 }, { webhookId: '9a3e2a4b-58a5-4a8b-9a55-3f2c2e0b1c07' }),
        node('Result', 'set', 3.4, {
          assignments: {
            assignments: [{ id: 'r', name: 'url', type: 'string', value: "={{ $('State').last().json.url }}" }],
          },
          options: {},
        }),
      ],
      ['Start -> Begin', 'Begin -> State', 'State -> Done?', 'Done?:0 -> Result', 'Done?:1 -> Wait', 'Wait -> State'],
    ),
  },
  {
    name: 'an approval, a note and a disabled node',
    workflow: flow(
      [
        node('Note', 'stickyNote', 1, {
          content: '## Approval\nUses `{{ $json.x }}` of the **form**',
          height: 200,
          width: 300,
        }),
        node('Start', 'manualTrigger', 1),
        node(
          'Ask',
          'slack',
          2.3,
          {
            operation: 'sendAndWait',
            select: 'user',
            user: { __rl: true, mode: 'id', value: 'U0123ABCD' },
            message: '=Approve {{ $workflow.name }}?',
            approvalOptions: { values: { approvalType: 'double' } },
            options: {},
          },
          { credentials: { slackApi: { id: '13', name: 'Slack' } }, webhookId: '4b8f3a1e-5c1b-4c59-9d31-02b7d0a1f908' },
        ),
        node('Approved?', 'if', 2.2, {
          conditions: {
            options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
            conditions: [
              {
                id: 'a',
                leftValue: '={{ $json.data.approved }}',
                rightValue: '',
                operator: { type: 'boolean', operation: 'true', singleValue: true },
              },
            ],
            combinator: 'and',
          },
          options: {},
        }),
        node('Off', 'httpRequest', 4.2, { options: {} }, { disabled: true }),
        node('End', 'dateTime', 2, {
          operation: 'formatDate',
          date: '={{ $now.toISO() }}',
          format: 'yyyy/MM/dd',
          options: {},
        }),
      ],
      ['Start -> Ask', 'Ask -> Approved?', 'Approved?:0 -> Off', 'Off -> End'],
    ),
  },
];
