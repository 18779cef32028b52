/**
 * Workflows before a safe fix, one for each kind of safe fix. The test runs each of them before and after the fix on a
 * real n8n and compares the output of every node: a fix is safe if nothing differs.
 */
import type { World } from '../../src/validation/subject/subject.ts';
import { changed, connectionsOf, flow, gone, node, type TestNode } from './case.ts';

/** What the test provides: a service that counts requests, and a credential on the n8n. */
export interface Given {
  /** Every path below answers with 500, except `/ok`, which answers with the `x-key` header of the request. */
  readonly service: string;
  readonly credential: { readonly id: string; readonly name: string };
}

export interface SafeFixRow {
  readonly rule: string;
  readonly what: string;
  workflow(given: Given): unknown;
  world?(given: Given): World;
  /** Run it as a sub-workflow: only there it matters what n8n stores of a run. */
  readonly asSubWorkflow?: true;
}

const start = node('Start', 'manualTrigger', 1);
const end = node('End', 'noOp', 1);
const set = (value: unknown, more: Record<string, unknown> = {}) =>
  node(
    'Each',
    'set',
    3.4,
    { assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value }] }, options: {} },
    more,
  );
const line = (...nodes: readonly TestNode[]) =>
  flow(
    nodes,
    nodes.slice(1).map(({ name }, index) => `${nodes[index]?.name} -> ${name}`),
  );
const list = node('List', 'set', 3.4, {
  assignments: { assignments: [{ id: 'a', name: 'a', type: 'array', value: '[1, 2]' }] },
  options: {},
});
const split = node('Split', 'splitOut', 1, { fieldToSplitOut: 'a', options: {} });
/** Two items come in, and each gets a field. */
const plain = line(start, set('={{ $json.a }}'), end, list, split);
plain.connections = connectionsOf(['Start -> List', 'List -> Split', 'Split -> Each', 'Each -> End']);
const failing = (more: Record<string, unknown>) => line(start, set("={{ $('Gone').item.json.x }}", more), end);
const keepsNothing = (more: Record<string, unknown>) =>
  line(
    start,
    node(
      'Each',
      'filter',
      2.2,
      {
        conditions: {
          options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
          combinator: 'and',
          conditions: [
            { id: 'a', leftValue: '={{ $json.a }}', rightValue: 9, operator: { type: 'number', operation: 'equals' } },
          ],
        },
        options: {},
      },
      more,
    ),
    end,
  );
const request = (service: string, more: Record<string, unknown>, parameters = {}) =>
  line(start, node('Fetch', 'httpRequest', 4.2, { url: service, ...parameters, options: {} }, more), end);
const branches = (settings: unknown) =>
  changed(
    flow(
      ['A', 'A2', 'B', 'B2'].reduce((nodes, name) => [...nodes, node(name, 'noOp', 1)], [start]),
      ['Start -> A', 'Start -> B', 'A -> A2', 'B -> B2'],
    ),
    '/settings',
    settings,
  );
const timed = (settings: unknown) => changed(line(start, set('={{ $now.zoneName }}'), end), '/settings', settings);

const row = (rule: string, what: string, workflow: unknown): SafeFixRow => ({ rule, what, workflow: () => workflow });
const asSub = (one: SafeFixRow): SafeFixRow => ({ ...one, asSubWorkflow: true });
const asking = (rule: string, what: string, more: Record<string, unknown>): SafeFixRow => ({
  rule,
  what,
  workflow: ({ service }) => request(service, more),
});

const soon = { waitBetweenTries: 1 };

export const safeFixes: readonly SafeFixRow[] = [
  row('node-shape', 'no position', changed(plain, '/nodes/1/position', gone)),
  row('node-shape', 'a position by name', changed(plain, '/nodes/1/position', { x: 1, y: 2 })),
  row('node-shape', 'an empty list of parameters', changed(plain, '/nodes/2/parameters', [])),
  row('node-shape', 'null for parameters', changed(plain, '/nodes/2/parameters', null)),

  row('unknown-workflow-key', 'what the editor exports', { ...plain, meta: { instanceId: 'x' }, versionId: 'x' }),
  row('unknown-workflow-key', 'an unknown key', { ...plain, colour: 'red' }),
  row('unknown-workflow-setting', 'an unknown setting', changed(plain, '/settings/colour', 'red')),
  row('workflow-incomplete', 'no settings', changed(plain, '/settings', gone)),
  row('workflow-incomplete', 'null for settings', changed(plain, '/settings', null)),
  row('workflow-shape', 'a list of connections', changed(line(start), '/connections', [])),

  row('bad-workflow-setting', 'executionOrder as the editor has it', branches({ executionOrder: 'DEFAULT' })),
  row(
    'bad-workflow-setting',
    'null for executionOrder and executionTimeout',
    branches({ executionOrder: null, executionTimeout: null }),
  ),
  row('bad-workflow-setting', 'null for timezone', timed({ timezone: null })),
  row('bad-workflow-setting', 'null for errorWorkflow', changed(failing({}), '/settings/errorWorkflow', null)),
  row('bad-workflow-setting', 'saveManualExecutions', branches({ saveManualExecutions: 'DEFAULT' })),
  asSub(row('bad-workflow-setting', 'saveDataSuccessExecution', branches({ saveDataSuccessExecution: 'DEFAULT' }))),
  asSub(
    row(
      'bad-workflow-setting',
      'saveDataErrorExecution',
      changed(failing({}), '/settings/saveDataErrorExecution', 'DEFAULT'),
    ),
  ),

  row(
    'node-setting-kind',
    'null for settings that then have no effect',
    ['id', 'webhookId', 'notes', 'notesInFlow', 'executeOnce', 'disabled'].reduce(
      (workflow, key) => changed(workflow, `/nodes/1/${key}`, null),
      plain,
    ),
  ),
  row('node-setting-kind', 'null for alwaysOutputData', keepsNothing({ alwaysOutputData: null })),
  row('node-setting-kind', 'null for continueOnFail', failing({ continueOnFail: null })),
  row('node-setting-kind', 'null for onError', failing({ onError: null })),
  asking('node-setting-kind', 'null for retryOnFail', { retryOnFail: null, ...soon }),
  asking('node-setting-kind', 'null for maxTries', { retryOnFail: true, maxTries: null, ...soon }),
  asking('node-setting-kind', 'null for waitBetweenTries', { retryOnFail: true, maxTries: 2, waitBetweenTries: null }),
  row('node-setting-kind', 'false as a string for disabled', changed(plain, '/nodes/1/disabled', 'false')),
  row('node-setting-kind', 'false as a string for executeOnce', changed(plain, '/nodes/1/executeOnce', 'false')),
  row('node-setting-kind', 'false as a string for alwaysOutputData', keepsNothing({ alwaysOutputData: 'false' })),
  asking('node-setting-kind', 'false as a string for retryOnFail', { retryOnFail: 'false', ...soon }),
  row(
    'node-setting-kind',
    'true and false as a string for notesInFlow',
    changed(changed(plain, '/nodes/1/notesInFlow', 'true'), '/nodes/2/notesInFlow', 'false'),
  ),
  row('node-setting-kind', 'numbers for strings', changed(changed(plain, '/nodes/1/id', 7), '/nodes/1/notes', 7)),
  asking('node-setting-kind', 'maxTries as a string', { retryOnFail: true, maxTries: '4', ...soon }),
  asking('node-setting-kind', 'waitBetweenTries as a string', {
    retryOnFail: true,
    maxTries: 3,
    waitBetweenTries: '1',
  }),

  asking('retry-limits', 'ten tries', { retryOnFail: true, maxTries: 10, ...soon }),
  asking('retry-limits', 'one try', { retryOnFail: true, maxTries: 1, ...soon }),
  asking('retry-limits', 'a minute in between', { retryOnFail: true, maxTries: 2, waitBetweenTries: 60_000 }),
  asking('retry-limits', 'a negative wait', { retryOnFail: true, maxTries: 3, waitBetweenTries: -5 }),

  row('duplicate-node-id', 'one id twice', changed(plain, '/nodes/2/id', plain.nodes[1]?.id)),
  row('bad-on-error', 'an empty string', failing({ onError: '' })),
  row('bad-on-error', 'stopWorkflow in another case', failing({ onError: 'StopWorkflow' })),
  row('misplaced-node-setting', 'onError in both places', {
    ...changed(failing({ onError: 'continueRegularOutput' }), '/nodes/1/parameters/onError', 'stopWorkflow'),
  }),
  row('misplaced-node-setting', 'executeOnce in both places', {
    ...changed(changed(plain, '/nodes/1/executeOnce', false), '/nodes/1/parameters/executeOnce', true),
  }),
  row('unknown-node-key', 'a colour', changed(plain, '/nodes/1/color', 'red')),
  row(
    'bad-node-group',
    'around a missing node',
    changed(plain, '/nodeGroups', [{ id: 'g', name: 'G', nodeIds: [plain.nodes[1]?.id, 'gone'] }]),
  ),
  row(
    'unknown-connection-source',
    'a missing source',
    changed(plain, '/connections/Elsewhere', { main: [[{ node: 'End', type: 'main', index: 0 }]] }),
  ),

  row('expression-unclosed', 'no end', line(start, set('={{ $json.a '), end)),
  row('expression-unclosed', 'no end, behind words', line(start, set('=It is {{ $json.a'), end)),
  row('expression-unclosed', 'no end, after a closed one', line(start, set('={{ 1 }} {{ $json.a'), end)),
  row('expression-unclosed', 'no end, but a comment', line(start, set('={{ $json.a // note'), end)),

  {
    rule: 'credential-without-id',
    what: 'a name that exactly one credential has, the only one of its type',
    // Without an id, n8n takes any credential of the type. No other test has one of this type.
    workflow: ({ service, credential }) =>
      request(
        `${service}/ok`,
        { credentials: { httpCustomAuth: { name: credential.name } } },
        { authentication: 'genericCredentialType', genericAuthType: 'httpCustomAuth' },
      ),
    world: ({ credential }) => ({ credentials: [{ ...credential, type: 'httpCustomAuth' }] }),
  },
];

/** Fixes that look harmless but are not: n8n does something else after the fix, so they are applied only on request. */
export const unsafeFixes: readonly SafeFixRow[] = [
  row('node-setting-kind', 'true as a string for disabled', changed(plain, '/nodes/1/disabled', 'true')),
  row('node-setting-kind', 'true as a string for executeOnce', changed(plain, '/nodes/1/executeOnce', 'true')),
  row('node-setting-kind', 'true as a string for alwaysOutputData', keepsNothing({ alwaysOutputData: 'true' })),
  asking('node-setting-kind', 'true as a string for retryOnFail', { retryOnFail: 'true', ...soon }),
  row('node-setting-kind', 'false as a string for continueOnFail', failing({ continueOnFail: 'false' })),
  row('node-setting-kind', 'null for typeVersion', changed(plain, '/nodes/1/typeVersion', null)),
  row('type-version-missing', 'no version', changed(plain, '/nodes/1/typeVersion', gone)),
  row('bad-on-error', 'another spelling', failing({ onError: 'continue_regular_output' })),
  asSub(row('bad-workflow-setting', 'callerPolicy', branches({ callerPolicy: 'DEFAULT' }))),
  row(
    'connection-by-id',
    'the id of the target',
    changed(plain, '/connections/Split/main/0/0/node', plain.nodes[1]?.id),
  ),
  row('connection-shape', 'no index', changed(plain, '/connections/Split/main/0/0/index', gone)),
  row('workflow-shape', 'no connections', changed(line(start), '/connections', gone)),
  row('deprecated-setting', 'the old setting, and an expression that fails', failing({ continueOnFail: true })),
  row('deprecated-setting', 'both settings', failing({ continueOnFail: true, onError: 'stopWorkflow' })),
  row(
    'assignment-shape',
    'no type',
    changed(plain, '/nodes/1/parameters/assignments/assignments', [{ id: 'a', name: 'x', value: 'b' }]),
  ),
];
