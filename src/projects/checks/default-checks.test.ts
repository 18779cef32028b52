import { expect, test } from 'vitest';
import type { Json } from '../../kernel/source.ts';
import type { Item, Kind } from '../project.ts';
import type { Answer } from '../status/asking.ts';
import { defaultChecks } from './default-checks.ts';

const item = (kind: Kind, name: string, more: Partial<Item> = {}): Item => ({
  id: 1,
  kind,
  name,
  addedAt: '',
  addedBy: '',
  ...more,
});

const checkOf = (kind: Kind) => defaultChecks.get(kind) ?? expect.unreachable(kind);
const ID = 'aB3xY9kLmN0pQrSt';

test.each<[Item, string, Json]>([
  [item('workflow', ID), 'n8n_get_workflow', { id: ID }],
  [item('workflow', '42', { instance: 'prod' }), 'n8n_get_workflow', { id: '42', instance: 'prod' }],
  [item('workflow', 'Send mails'), 'n8n_list_workflows', { name: 'Send mails', limit: 250 }],
  [item('repository', 'acme/shop'), 'github_get_repository', { repo: 'acme/shop' }],
  [item('container', 'web', { source: 'docker-nas' }), 'docker-nas_inspect_container', { container: 'web' }],
  [item('database', 'public'), 'postgres_list_tables', { schema: 'public' }],
  [item('database', 'postgres-staging/shop'), 'postgres-staging_list_tables', { schema: 'shop' }],
  [item('database', 'a/b', { source: 'pg' }), 'pg_list_tables', { schema: 'a/b' }],
  [item('queue', 'orders'), 'rabbitmq_get_queue', { queue: 'orders' }],
  [item('memory', 'team'), 'memory_list_namespaces', { name: 'team' }],
  [item('blueprint', 'support'), 'blueprint_history', { name: 'support', limit: 1 }],
  [item('server', 'ref'), 'gateway_status', { server: 'ref' }],
])('%o is asked of %s', (one, tool, args) => {
  expect([checkOf(one.kind).tool(one), checkOf(one.kind).arguments(one)]).toEqual([tool, args]);
});

const live = { id: ID, name: 'Send', active: true };

test.each<[Kind, string, Json, Json]>([
  ['workflow', ID, { workflow: { ...live, archived: true } }, { state: 'failing', seen: 'archived' }],
  ['workflow', ID, { workflow: { ...live, active: false } }, { state: 'warning', seen: 'not published' }],
  ['workflow', 'Send', { workflows: [{ ...live, name: 'Send more' }] }, { state: 'failing' }],
  [
    'workflow',
    'Send',
    { workflows: [live, { ...live, id: '7' }] },
    { state: 'unknown', seen: '2 workflows have this name' },
  ],
  ['repository', 'a/b', { archived: true }, { state: 'warning' }],
  ['repository', 'a/b', { default_branch: 'main', open_issues: 1 }, { state: 'ok', seen: /branch main, 1 open issue/ }],
  ['container', 'c', { state: 'running' }, { state: 'ok' }],
  ['container', 'c', { state: 'running (unhealthy)', health: { status: 'unhealthy' } }, { state: 'failing' }],
  [
    'container',
    'c',
    { state: 'exited', exit_code: 0 },
    { state: 'warning', next: 'docker_start_container starts it.' },
  ],
  [
    'container',
    'c',
    { state: 'exited', exit_code: 137, out_of_memory: true },
    { state: 'failing', seen: /137, out of memory/ },
  ],
  ['container', 'c', { state: 'restarting' }, { state: 'failing' }],
  ['database', 'd', { tables: [] }, { state: 'warning', next: /postgres_list_schemas/ }],
  ['database', 'd', { tables: [{}, {}] }, { state: 'ok', seen: '2 tables' }],
  ['queue', 'q', { consumers: 0, messages: 3 }, { state: 'warning' }],
  ['queue', 'q', { consumers: 1, messages: 3, offline: ['a'] }, { state: 'warning', seen: /1 member offline/ }],
  ['queue', 'q', { consumers: 1, state: 'down' }, { state: 'failing' }],
  ['queue', 'q', { consumers: 1 }, { state: 'ok', seen: '0 messages, 1 consumer' }],
  ['memory', 'm', { namespaces: [{ name: 'n', memories: 1 }] }, { state: 'failing' }],
  ['memory', 'm', { namespaces: [{ name: 'm', memories: 1 }] }, { state: 'ok', seen: '1 memory' }],
  ['server', 's', { backends: [{ name: 's', state: 'RUNNING', tools: 2 }] }, { state: 'ok', seen: 'running, 2 tools' }],
  [
    'server',
    's',
    { backends: [{ name: 's', state: 'FAILED', tools: 0, lastError: { message: 'no such file' } }] },
    { state: 'failing', seen: 'failed: no such file', next: /gateway_restart_server/ },
  ],
])('%s %s: %o', async (kind, name, answer, expected) => {
  const nobody = () => expect.unreachable('one call is enough');
  const seen = await checkOf(kind).read(answer, item(kind, name), nobody);
  for (const [key, value] of Object.entries(expected))
    expect(seen).toHaveProperty(key, value instanceof RegExp ? expect.stringMatching(value) : value);
});

const gone: Answer = { kind: 'error', code: 'not_found', message: 'There is no blueprint b.' };

test.each<[Json, Answer, Json]>([
  [{ runs: [] }, { kind: 'data', data: {}, text: '' }, { state: 'ok', seen: 'never deployed' }],
  [{ runs: [] }, { kind: 'forbidden' }, { state: 'ok', seen: 'never deployed' }],
  [{ runs: [] }, gone, { state: 'failing', seen: 'no blueprint has this name' }],
  [{ runs: [{ run: 'r1', state: 'succeeded' }] }, gone, { state: 'failing', seen: /; last run: succeeded$/ }],
  [{ runs: [{ run: 'r1', state: 'failed' }] }, { kind: 'absent' }, { state: 'failing', next: /run r1/ }],
  [{ runs: [{ run: 'r1', state: 'waiting' }] }, { kind: 'absent' }, { state: 'warning' }],
  [{ runs: [{ run: 'r1', state: 'constructor' }] }, { kind: 'absent' }, { state: 'unknown' }],
])('a blueprint with %o that blueprint_show answers with %o', async (runs, answer, expected) => {
  const seen = await checkOf('blueprint').read(runs, item('blueprint', 'b'), async (...call) => {
    expect(call).toEqual(['blueprint_show', { name: 'b' }]);
    return answer;
  });
  for (const [key, value] of Object.entries(expected))
    expect(seen).toHaveProperty(key, value instanceof RegExp ? expect.stringMatching(value) : value);
});

const ran = (...executions: Json[]): Answer => ({ kind: 'data', data: { executions }, text: '' });

test.each<[Answer, Json]>([
  [
    ran({ id: '9', status: 'success', started: '2026-01-02' }),
    { state: 'ok', seen: 'published; last run: success (2026-01-02)' },
  ],
  [ran({ id: '9', status: 'error' }), { state: 'failing', next: 'n8n_get_execution shows why: id 9.' }],
  [ran(), { state: 'ok', seen: 'published; no runs yet' }],
  [{ kind: 'forbidden' }, { state: 'ok', seen: 'published; its runs cannot be seen' }],
  [
    { kind: 'data', data: {}, text: '' },
    { state: 'ok', seen: 'published; its runs cannot be seen' },
  ],
])('a published workflow with the runs %o', async (answer, expected) => {
  const asked: unknown[] = [];
  const seen = await checkOf('workflow').read({ workflow: live }, item('workflow', ID), async (...call) => {
    asked.push(call);
    return answer;
  });
  expect(seen).toMatchObject(expected);
  expect(asked).toEqual([['n8n_list_executions', { workflow: ID, limit: 1 }]]);
});

test('an answer of another kind is no answer', async () => {
  for (const check of defaultChecks.values())
    for (const answer of [
      { x: 1 },
      { workflow: 5, backends: [], tables: {}, runs: 'x', consumers: '1', state: 1, archived: 'x' },
    ])
      expect([undefined, 'repository']).toContain(
        (await check.read(answer, item(check.kind, 'x'), () => expect.unreachable())) && check.kind,
      );
});

test('every check says what is missing if its tool does not exist', () => {
  for (const check of defaultChecks.values()) expect(check.absent(item(check.kind, 'x')).seen).not.toBe('');
  expect(checkOf('container').absent(item('container', 'x')).next).toContain('modules.docker');
  expect(checkOf('database').absent(item('database', 'pg2/x')).next).toContain('modules.pg2');
  expect(checkOf('blueprint').absent(item('blueprint', 'x')).seen).toBe('blueprints are off');
});
