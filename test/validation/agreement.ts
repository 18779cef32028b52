/**
 * What n8n does with a workflow on create, publish and run, next to the verdict of the validator. The test asks a real
 * n8n, and the table in docs/validation.md consists of these rows.
 */
import type { Purpose } from '../../src/validation/finding.ts';
import type { World } from '../../src/validation/subject/subject.ts';
import { changed, flow, gone, node } from './case.ts';

export interface AgreementRow {
  readonly what: string;
  readonly gate: Purpose;
  /** `silent`: n8n runs every node without an error, but does something else than the workflow says. */
  readonly n8n: 'takes' | 'refuses' | 'silent';
  readonly ours: 'error' | 'warning' | 'nothing';
  /** `DRAFT` in it is replaced with the id of a workflow that exists and is not published. */
  readonly workflow: unknown;
  /** What is on the instance, if it matters. */
  readonly world?: World;
}

export const DRAFT = 'DRAFT-WORKFLOW';

const world: World = {
  workflow: (id) => (id === DRAFT ? { name: 'A draft', isPublished: false } : 'missing'),
  dataTables: [],
};

const start = node('Start', 'manualTrigger', 1);
const clock = node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } });
const request = node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', options: {} });
const keep = (value: unknown, name = 'Keep') =>
  node(name, 'set', 3.4, {
    assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value }] },
    options: {},
  });
const model = node('Model', 'ai:lmChatOllama', 1, { model: 'llama3', options: {} }, { credentials: {} });
const agent = node('Agent', 'ai:agent', 2, { promptType: 'define', text: 'Hello', options: {} });
const hook = (name: string, more: object = {}) =>
  node(name, 'webhook', 2, { path: 'sluice-agreement', options: {}, ...more });

const timed = flow([clock, request], ['Clock -> Fetch']);
const byHand = flow([start, keep('={{ 1 + 1 }}')], ['Start -> Keep']);
const row = (
  gate: Purpose,
  n8n: AgreementRow['n8n'],
  ours: AgreementRow['ours'],
  what: string,
  workflow: unknown,
): AgreementRow => ({ gate, n8n, ours, what, workflow });
const there = (one: AgreementRow): AgreementRow => ({ ...one, world });

const call = (id: string) =>
  node('Call', 'executeWorkflow', 1.2, { workflowId: { __rl: true, mode: 'id', value: id } });
const raw = (jsonOutput: string) => node('Raw', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} });
const post = (jsonBody: string) =>
  node('Post', 'httpRequest', 4.2, {
    method: 'POST',
    url: 'http://127.0.0.1:1',
    sendBody: true,
    specifyBody: 'json',
    jsonBody,
    options: {},
  });
const UNMARKED = '{ "a": {{ $json.b }} }';

export const agreement: readonly AgreementRow[] = [
  row('save', 'takes', 'nothing', 'a sound workflow', timed),
  row('save', 'takes', 'warning', 'a request without its URL', changed(timed, '/nodes/1/parameters/url', gone)),
  row(
    'save',
    'takes',
    'warning',
    'a type of node that does not exist',
    changed(timed, '/nodes/1/type', 'n8n-nodes-base.httpReqest'),
  ),
  row(
    'save',
    'refuses',
    'error',
    'a connection to a missing node',
    flow([clock, request], ['Clock -> Fetch', 'Fetch -> Gone']),
  ),
  row(
    'save',
    'refuses',
    'error',
    'a connection from a missing node',
    flow([clock, request], ['Clock -> Fetch', 'Gone -> Fetch']),
  ),
  row('save', 'refuses', 'error', 'two nodes of one name', flow([clock, request, request], ['Clock -> Fetch'])),
  row(
    'save',
    'refuses',
    'error',
    'two nodes with the same id',
    changed(timed, '/nodes/1/id', '00000000-0000-4000-8000-000000000001'),
  ),
  row('save', 'refuses', 'error', 'connections that are not lists', changed(timed, '/connections/Clock/main', {})),
  row('save', 'refuses', 'error', 'a node without a position', changed(timed, '/nodes/1/position', gone)),
  row('save', 'refuses', 'error', 'a workflow without connections', changed(timed, '/connections', gone)),
  row('save', 'refuses', 'error', 'a setting that n8n does not know', changed(timed, '/settings', { color: 'red' })),

  row(
    'save',
    'takes',
    'warning',
    'a time zone that does not exist',
    changed(timed, '/settings', { timezone: 'Berlin' }),
  ),

  row('publish', 'takes', 'nothing', 'a sound workflow', timed),
  row('publish', 'refuses', 'error', 'only a manual trigger', byHand),
  row(
    'publish',
    'refuses',
    'error',
    'a type of node that does not exist',
    changed(timed, '/nodes/1/type', 'n8n-nodes-base.httpReqest'),
  ),
  row('publish', 'refuses', 'error', 'a version that does not exist', changed(timed, '/nodes/1/typeVersion', 99)),
  row('publish', 'refuses', 'error', 'a request without its URL', changed(timed, '/nodes/1/parameters/url', gone)),
  row(
    'publish',
    'refuses',
    'error',
    'a service without its credential',
    flow(
      [clock, node('Find', 'postgres', 2.5, { operation: 'executeQuery', query: 'SELECT 1', options: {} })],
      ['Clock -> Find'],
    ),
  ),
  row(
    'publish',
    'refuses',
    'error',
    'a placeholder instead of a document',
    flow(
      [
        clock,
        node('Sheet', 'googleSheets', 4.5, {
          documentId: { __rl: true, mode: 'url', value: 'YOUR_URL' },
          sheetName: { __rl: true, mode: 'name', value: 'A' },
          options: {},
        }),
      ],
      ['Clock -> Sheet'],
    ),
  ),
  row(
    'publish',
    'refuses',
    'error',
    'two webhooks with the same path',
    flow([hook('A'), hook('B'), keep('x')], ['A -> Keep', 'B -> Keep']),
  ),
  row(
    'publish',
    'takes',
    'error',
    'a cron of `99 99 * * *`',
    changed(timed, '/nodes/0/parameters/rule/interval/0', { field: 'cronExpression', expression: '99 99 * * *' }),
  ),
  row(
    'publish',
    'takes',
    'error',
    'a cron under a wrong parameter name',
    changed(timed, '/nodes/0/parameters/rule/interval/0', { field: 'cronExpression', cronExpression: '0 9 * * *' }),
  ),
  row('publish', 'takes', 'error', 'an agent without a model', flow([clock, agent], ['Clock -> Agent'])),
  row(
    'publish',
    'takes',
    'error',
    'a webhook that waits for a response node, without that node',
    flow([hook('In', { responseMode: 'responseNode', path: 'sluice-agreement-3' }), keep('x')], ['In -> Keep']),
  ),
  row(
    'publish',
    'takes',
    'error',
    'an expression that cannot be parsed',
    flow([clock, keep('={{ $json.a + }}')], ['Clock -> Keep']),
  ),

  there(
    row('publish', 'refuses', 'error', 'a call of a missing workflow', flow([clock, call('gone')], ['Clock -> Call'])),
  ),
  there(
    row(
      'publish',
      'refuses',
      'error',
      'a call of a workflow that is not published',
      flow([clock, call(DRAFT)], ['Clock -> Call']),
    ),
  ),
  there(
    row(
      'publish',
      'refuses',
      'error',
      'the same, by an unconnected node',
      flow([clock, request, call(DRAFT)], ['Clock -> Fetch']),
    ),
  ),
  there(
    row(
      'publish',
      'takes',
      'error',
      'a tool that calls a missing workflow',
      flow(
        [
          node('Mcp', 'ai:mcpTrigger', 2, { path: 'sluice-agreement-4' }),
          node('Tool', 'ai:toolWorkflow', 2.2, {
            description: 'Finds orders',
            workflowId: { __rl: true, mode: 'id', value: 'gone' },
          }),
        ],
        ['Tool -ai_tool-> Mcp'],
      ),
    ),
  ),
  there(
    row('publish', 'takes', 'warning', 'a missing error workflow', {
      ...changed(timed, '/settings', { errorWorkflow: 'gone' }),
    }),
  ),
  row(
    'publish',
    'refuses',
    'error',
    'fields set as JSON, with `{{ }}` and without `=`',
    flow([clock, raw(UNMARKED)], ['Clock -> Raw']),
  ),
  row('publish', 'refuses', 'error', 'fields set as JSON, but empty', flow([clock, raw('')], ['Clock -> Raw'])),
  row(
    'publish',
    'takes',
    'error',
    'a body as JSON, with `{{ }}` and without `=`',
    flow([clock, post(UNMARKED)], ['Clock -> Post']),
  ),

  row('run', 'takes', 'nothing', 'a sound workflow', byHand),
  there(row('run', 'refuses', 'error', 'a call of a missing workflow', flow([start, call('gone')], ['Start -> Call']))),
  there(
    row(
      'run',
      'refuses',
      'error',
      'a missing data table',
      flow(
        [
          start,
          node('Rows', 'dataTable', 1, {
            operation: 'get',
            dataTableId: { __rl: true, mode: 'id', value: 'gone' },
            returnAll: true,
          }),
        ],
        ['Start -> Rows'],
      ),
    ),
  ),
  row(
    'run',
    'refuses',
    'error',
    'a data table without a mode',
    flow(
      [start, node('Rows', 'dataTable', 1, { operation: 'get', dataTableId: 'gone', returnAll: true })],
      ['Start -> Rows'],
    ),
  ),
  row(
    'run',
    'refuses',
    'error',
    'fields set as JSON, with `{{ }}` and without `=`',
    flow([start, raw(UNMARKED)], ['Start -> Raw']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'a body as JSON, with `{{ }}` and without `=`',
    flow([start, post(UNMARKED)], ['Start -> Post']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'an answer as JSON, with `{{ }}` and without `=`',
    flow(
      [
        node('Start', 'webhook', 2, { path: 'sluice-agreement-5', responseMode: 'responseNode', options: {} }),
        node('Answer', 'respondToWebhook', 1.1, { respondWith: 'json', responseBody: UNMARKED, options: {} }),
      ],
      ['Start -> Answer'],
    ),
  ),
  row(
    'run',
    'silent',
    'warning',
    'fields set as JSON, with `"{{ }}"` and without `=`',
    flow([start, raw('{ "a": "{{ $json.b }}" }')], ['Start -> Raw']),
  ),
  row(
    'run',
    'silent',
    'error',
    'an unknown method in an expression, `.toUppercase()`',
    flow([start, keep("={{ 'a'.toUppercase() }}")], ['Start -> Keep']),
  ),
  row(
    'run',
    'silent',
    'error',
    'a method of Date on $now, `.toISOString()`',
    flow([start, keep('={{ $now.toISOString() }}')], ['Start -> Keep']),
  ),
  row(
    'run',
    'takes',
    'warning',
    'an option in lower case that the node passes on',
    flow([start, node('Hash', 'crypto', 1, { type: 'sha256', value: 'a' })], ['Start -> Hash']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'an option in another case that the node compares',
    flow([start, node('Pause', 'wait', 1.1, { amount: 0, unit: 'Seconds' })], ['Start -> Pause']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'fields set as JSON, given as an object',
    flow([start, node('Raw', 'set', 3.4, { mode: 'raw', jsonOutput: { a: 1 }, options: {} })], ['Start -> Raw']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'an agent that reads its prompt from a chat, without a chat',
    flow(
      [start, keep('hi'), changed(agent, '/parameters', { options: {} }), model],
      ['Start -> Keep', 'Keep -> Agent', 'Model -ai_languageModel-> Agent'],
    ),
  ),
  row(
    'run',
    'refuses',
    'error',
    'an unknown method in code',
    flow(
      [start, node('Code', 'code', 2, { jsCode: "return [{ json: { a: 'a'.toUppercase() } }];" })],
      ['Start -> Code'],
    ),
  ),
  row(
    'run',
    'refuses',
    'error',
    'a method in code that only expressions have',
    flow(
      [start, node('Code', 'code', 2, { jsCode: "return [{ json: { a: 'a b'.toTitleCase() } }];" })],
      ['Start -> Code'],
    ),
  ),
  row(
    'run',
    'takes',
    'nothing',
    'references, branches, a merge and code',
    flow(
      [
        start,
        keep('a', 'A'),
        keep("={{ $('Start').isExecuted ? 'b' : 'c' }}", 'B'),
        node('Both', 'merge', 3, {}),
        node('Code', 'code', 2, {
          jsCode: "return [{ json: { n: $('Both').all().length, a: $('A').first().json.x } }];",
        }),
      ],
      ['Start -> A', 'Start -> B', 'A -> Both:0', 'B -> Both:1', 'Both -> Code'],
    ),
  ),
  row(
    'run',
    'refuses',
    'error',
    'a request without its URL',
    flow([start, changed(request, '/parameters/url', gone)], ['Start -> Fetch']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'an expression that cannot be parsed',
    flow([start, keep('={{ $json.a + }}')], ['Start -> Keep']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'a reference to a missing node',
    flow([start, keep("={{ $('Gone').item.json.a }}")], ['Start -> Keep']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'a reference to a node that comes later',
    flow([start, keep("={{ $('Later').item.json.x }}"), keep('y', 'Later')], ['Start -> Keep', 'Keep -> Later']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'the item of a node on another branch',
    flow(
      [start, keep('a', 'Left'), keep('b', 'Right'), keep("={{ $('Left').item.json.x }}")],
      ['Start -> Left', 'Start -> Right', 'Right -> Keep'],
    ),
  ),
  row(
    'run',
    'takes',
    'warning',
    'all items of a node on another branch, which happens to run first',
    flow(
      [start, keep('a', 'Left'), keep('b', 'Right'), keep("={{ $('Left').all().length }}")],
      ['Start -> Left', 'Start -> Right', 'Right -> Keep'],
    ),
  ),
  row(
    'run',
    'refuses',
    'error',
    'JavaScript that cannot be parsed',
    flow([start, node('Code', 'code', 2, { jsCode: 'return [{ json: { a: 1 }];' })], ['Start -> Code']),
  ),
  row(
    'run',
    'refuses',
    'error',
    'JSON that cannot be parsed',
    flow([start, node('Raw', 'set', 3.4, { mode: 'raw', jsonOutput: '{ "a": 1,, }', options: {} })], ['Start -> Raw']),
  ),
  row('run', 'refuses', 'error', 'an agent without a model', flow([start, agent], ['Start -> Agent'])),
  row(
    'run',
    'refuses',
    'error',
    'a model as a tool',
    flow(
      [start, agent, model, { ...model, name: 'Second' }],
      ['Start -> Agent', 'Model -ai_languageModel-> Agent', 'Second -ai_tool-> Agent'],
    ),
  ),
  row(
    'run',
    'silent',
    'warning',
    'an expression in a sentence, without its "="',
    flow([start, keep('Dear {{ $json.name }}')], ['Start -> Keep']),
  ),
  row(
    'run',
    'silent',
    'error',
    'conditions in the format of an older version: they count as false',
    flow(
      [start, node('Which', 'if', 2.2, { conditions: { string: [{ value1: 'a', value2: 'a' }] }, options: {} })],
      ['Start -> Which'],
    ),
  ),
  row(
    'run',
    'silent',
    'error',
    'assignments in the format of an older version: they are left out',
    flow(
      [start, node('Keep', 'set', 3.4, { assignments: { string: [{ name: 'a', value: 'b' }] }, options: {} })],
      ['Start -> Keep'],
    ),
  ),
  row(
    'run',
    'silent',
    'error',
    'a node setting inside the parameters: it is ignored',
    changed(byHand, '/nodes/1/parameters/retryOnFail', true),
  ),
];

const gates: Readonly<Record<Purpose, string>> = { save: 'create', run: 'run', publish: 'publish' };
const words: Readonly<Record<AgreementRow['n8n'], string>> = {
  takes: 'takes it',
  refuses: 'refuses it',
  silent: 'runs it, and does something else',
};

/** The table in docs/validation.md. */
export function agreementTable(): string {
  const line = ({ gate, what, n8n, ours }: AgreementRow) =>
    `| ${gates[gate]} | ${what} | ${words[n8n]} | ${n8n === 'refuses' || ours === 'nothing' ? ours : `**${ours}**`} |`;
  return [
    '| n8n is asked to | what it is given | n8n | found here |',
    '| --- | --- | --- | --- |',
    ...agreement.map(line),
  ].join('\n');
}
