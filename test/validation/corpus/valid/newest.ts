import { type Case, flow, node, valid } from '../../case.ts';

/** Kinds of workflows that are not in the other files, with the latest node versions. */
const start = node('Start', 'manualTrigger', 1);
const openAi = { credentials: { openAiApi: { id: '1', name: 'OpenAI' } } };
const model = node(
  'Model',
  'ai:lmChatOpenAi',
  1.3,
  { model: { __rl: true, mode: 'list', value: 'gpt-5-mini' }, options: {} },
  openAi,
);
const webhookId = (last: number) => ({ webhookId: `6d7a3c1e-0000-4000-8000-${String(last).padStart(12, '0')}` });

export const cases: Case[] = [
  valid(
    'pages of an API, one after another',
    flow(
      [
        start,
        node('All pages', 'httpRequest', 4.5, {
          url: 'https://api.example.com/items',
          options: {
            pagination: {
              pagination: {
                paginationMode: 'responseContainsNextURL',
                nextURL: '={{ $response.body.next }}',
                paginationCompleteWhen: 'other',
                completeExpression: '={{ !$response.body.next || $pageCount > 20 }}',
                limitPagesFetched: true,
                maxRequests: 20,
              },
            },
            batching: { batch: { batchSize: 5, batchInterval: 500 } },
          },
        }),
      ],
      ['Start -> All pages'],
    ),
  ),
  valid(
    'a file that is fetched, read and written',
    flow(
      [
        start,
        node('Fetch', 'httpRequest', 4.5, {
          url: 'https://example.com/report.csv',
          options: { response: { response: { responseFormat: 'file', outputPropertyName: 'report' } } },
        }),
        node('Read', 'extractFromFile', 1.1, { operation: 'csv', binaryPropertyName: 'report', options: {} }),
        node('Write', 'convertToFile', 1.1, {
          operation: 'xlsx',
          options: { fileName: '=report-{{ $today.toISODate() }}.xlsx' },
        }),
      ],
      ['Start -> Fetch', 'Fetch -> Read', 'Read -> Write'],
    ),
  ),
  valid(
    'a form of two pages and an ending',
    flow(
      [
        node(
          'Apply',
          'formTrigger',
          2.6,
          {
            formTitle: 'Apply',
            formFields: {
              values: [{ fieldName: 'email', fieldLabel: 'E-mail', fieldType: 'email', requiredField: true }],
            },
            options: {},
          },
          webhookId(1),
        ),
        node(
          'More',
          'form',
          2.5,
          { formFields: { values: [{ fieldName: 'why', fieldLabel: 'Why?', fieldType: 'textarea' }] }, options: {} },
          webhookId(2),
        ),
        node(
          'Thanks',
          'form',
          2.5,
          { operation: 'completion', completionTitle: 'Thank you', options: {} },
          webhookId(3),
        ),
      ],
      ['Apply -> More', 'More -> Thanks'],
    ),
  ),
  valid(
    'a question by e-mail that waits for the answer',
    flow(
      [
        start,
        node(
          'Ask',
          'gmail',
          2.2,
          {
            operation: 'sendAndWait',
            sendTo: 'boss@example.com',
            subject: '=May {{ $workflow.name }} go on?',
            message: 'Please decide.',
            approvalOptions: { values: { approvalType: 'double' } },
            options: { limitWaitTime: { values: { resumeAmount: 2, resumeUnit: 'days' } } },
          },
          { credentials: { gmailOAuth2: { id: '2', name: 'Gmail' } }, ...webhookId(4) },
        ),
        node('Decision', 'switch', 3.4, {
          mode: 'expression',
          numberOutputs: 3,
          output: '={{ $json.data?.approved === true ? 0 : $json.data ? 1 : 2 }}',
        }),
        node('Yes', 'noOp', 1),
        node('No', 'noOp', 1),
        node('Too late', 'stopAndError', 1, { errorType: 'errorObject', errorObject: '{ "code": "late" }' }),
      ],
      ['Start -> Ask', 'Ask -> Decision', 'Decision:0 -> Yes', 'Decision:1 -> No', 'Decision:2 -> Too late'],
    ),
  ),
  valid(
    'a wait that ends with a call',
    flow(
      [
        node('In', 'webhook', 2.1, {
          httpMethod: ['GET', 'POST'],
          path: 'corpus-wait',
          multipleMethods: true,
          options: {},
        }),
        node(
          'Until called',
          'wait',
          1.1,
          { resume: 'webhook', httpMethod: 'POST', responseMode: 'onReceived', options: {} },
          webhookId(5),
        ),
        node('On', 'noOp', 1),
      ],
      ['In:0 -> Until called', 'In:1 -> Until called', 'Until called -> On'],
    ),
  ),
  valid(
    'an agent with a second model in reserve, a workflow as a tool and an MCP server',
    flow(
      [
        node('Chat', 'ai:chatTrigger', 1.5, { options: { responseMode: 'lastNode' } }, webhookId(6)),
        node('Agent', 'ai:agent', 3.1, { needsFallback: true, options: { maxIterations: 5 } }),
        model,
        { ...model, name: 'In reserve' },
        node('Lookup', 'ai:toolWorkflow', 2.2, {
          description: 'Looks a customer up',
          workflowId: { __rl: true, mode: 'id', value: 'aB3dE5fG7hI9' },
          workflowInputs: {
            mappingMode: 'defineBelow',
            value: { name: "={{ $fromAI('name', 'Name of the customer', 'string') }}" },
            matchingColumns: [],
            schema: [],
            attemptToConvertTypes: false,
            convertFieldsToString: false,
          },
        }),
        node('Others', 'ai:mcpClientTool', 1.4, {
          endpointUrl: 'https://mcp.example.com/mcp',
          include: 'selected',
          includeTools: ['search'],
          options: {},
        }),
        node('Memory', 'ai:memoryPostgresChat', 1.4, {}, { credentials: { postgres: { id: '3', name: 'Chats' } } }),
      ],
      [
        'Chat -> Agent',
        'Model -ai_languageModel-> Agent:0',
        'In reserve -ai_languageModel-> Agent:1',
        'Lookup -ai_tool-> Agent',
        'Others -ai_tool-> Agent',
        'Memory -ai_memory-> Agent',
      ],
    ),
  ),
  valid(
    'an agent that is the tool of another',
    flow(
      [
        node('Chat', 'ai:chatTrigger', 1.5, { options: {} }, webhookId(7)),
        node('Chief', 'ai:agent', 3.1, { options: {} }),
        model,
        node('Expert', 'ai:agentTool', 3, {
          toolDescription: 'Knows the law',
          text: "={{ $fromAI('question') }}",
          options: {},
        }),
        { ...model, name: 'Its model' },
      ],
      [
        'Chat -> Chief',
        'Model -ai_languageModel-> Chief',
        'Expert -ai_tool-> Chief',
        'Its model -ai_languageModel-> Expert',
      ],
    ),
  ),
  valid(
    'structured output that is repaired if it is wrong',
    flow(
      [
        start,
        node('Chain', 'ai:chainLlm', 1.9, {
          promptType: 'define',
          text: '=Sum up: {{ $json.text }}',
          hasOutputParser: true,
          batching: {},
        }),
        model,
        node('Mending', 'ai:outputParserAutofixing', 1, { options: {} }),
        { ...model, name: 'For mending' },
        node('Form', 'ai:outputParserStructured', 1.3, {
          schemaType: 'manual',
          inputSchema: '{ "type": "object", "properties": { "title": { "type": "string" } } }',
        }),
      ],
      [
        'Start -> Chain',
        'Model -ai_languageModel-> Chain',
        'Mending -ai_outputParser-> Chain',
        'For mending -ai_languageModel-> Mending',
        'Form -ai_outputParser-> Mending',
      ],
    ),
    { warnings: ['deprecated-node'] },
  ),
  valid(
    'a store that is searched and reranked',
    flow(
      [
        start,
        node(
          'Search',
          'ai:vectorStoreQdrant',
          1.3,
          {
            mode: 'load',
            qdrantCollection: { __rl: true, mode: 'id', value: 'docs' },
            prompt: '={{ $json.question }}',
            topK: 20,
            useReranker: true,
            options: {},
          },
          { credentials: { qdrantApi: { id: '4', name: 'Qdrant' } } },
        ),
        node('Embeddings', 'ai:embeddingsOpenAi', 1.2, { options: {} }, openAi),
        node('Rank', 'ai:rerankerCohere', 1, {}, { credentials: { cohereApi: { id: '5', name: 'Cohere' } } }),
      ],
      ['Start -> Search', 'Embeddings -ai_embedding-> Search', 'Rank -ai_reranker-> Search'],
    ),
  ),
  valid(
    'a branch for each sentiment',
    flow(
      [
        start,
        node('Mood', 'ai:sentimentAnalysis', 1.1, { inputText: '={{ $json.text }}', options: {} }),
        model,
        node('Good', 'noOp', 1),
        node('So so', 'noOp', 1),
        node('Bad', 'noOp', 1),
      ],
      ['Start -> Mood', 'Model -ai_languageModel-> Mood', 'Mood:0 -> Good', 'Mood:1 -> So so', 'Mood:2 -> Bad'],
    ),
  ),
  valid(
    'expressions of every kind',
    flow(
      [
        start,
        node('Keep', 'set', 3.5, {
          assignments: {
            assignments: [
              "={{ $json['a b']?.c ?? 'none' }}",
              '={{ $input.all().map(({ json }) => json.n).reduce((a, b) => a + b, 0) }}',
              "={{ $if($json.ok, 'yes', 'no') }} and {{ `${$now.year}-${$itemIndex}` }}",
              "={{ $jmespath($json, 'rows[*].id') }}",
              '={{ DateTime.fromISO($json.when).plus({ days: 3 }).toFormat("dd.MM.yyyy") }}',
              '={{ (() => { const n = 2; return n ** 2; })() }}',
              '={{ /^a+$/i.test($json.text) ? $execution.id : $workflow.id }}',
              "={{ $('Start').first().json.items?.length }}{{ $vars.where }}{{ $prevNode.name }}",
              '={{ { "a": [1, 2, ...[3]] }.a.at(-1) }}',
              '={{ $binary.data?.fileName.split(".").last() }}',
            ].map((value, index) => ({ id: `e${index}`, name: `e${index}`, type: 'string', value })),
          },
          options: {},
        }),
      ],
      ['Start -> Keep'],
    ),
  ),
  valid(
    'a loop in a loop',
    flow(
      [
        start,
        node('Outer', 'splitInBatches', 3, { options: {} }),
        node('Pages', 'splitOut', 1, { fieldToSplitOut: 'pages', options: {} }),
        node('Inner', 'splitInBatches', 3, { batchSize: 10, options: { reset: '={{ $runIndex === 0 }}' } }),
        node('Each', 'noOp', 1),
        node('End', 'noOp', 1),
      ],
      [
        'Start -> Outer',
        'Outer:1 -> Pages',
        'Pages -> Inner',
        'Inner:1 -> Each',
        'Each -> Inner',
        'Inner:0 -> Outer',
        'Outer:0 -> End',
      ],
    ),
  ),
];
