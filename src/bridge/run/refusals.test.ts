import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import { outOfSight, starting } from './refusals.ts';
import type { RunTool } from './run-tool.ts';

const tool = { name: 'run_a', workflow: { id: 'w', name: 'A' } } as Partial<RunTool> as RunTool;

test('an n8n that goes away from a run under way leaves the caller with where to look, not with a second run', () => {
  const away = new AppError('unavailable', 'n8n (default) cannot be reached.');
  const { code, message } = outOfSight({ tool, execution: '7' }, away);
  expect(code).toBe('unavailable');
  expect(message).toMatch(/"A" was started \(execution 7\), and how it ended is not known: .*cannot be reached\./);
  expect(message).toContain('Do not run it again before n8n_get_execution { "id": "7" } has shown');
  expect(outOfSight({ tool }, away).message).toContain('before n8n_list_executions has shown');
});

test('one that was deleted meanwhile is told of as such', () => {
  const gone = new AppError('not_found', 'n8n (default) answered 404 to GET /api/v1/executions/7: Not Found');
  expect(outOfSight({ tool, execution: '7' }, gone)).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('was deleted before it had ended'),
    data: { execution: '7' },
  });
});

test.each([
  [200, 'n8n is starting up. Please wait', 'unavailable'],
  [503, '{"message":"Database is not ready!"}', 'unavailable'],
  [404, '<pre>Cannot POST /webhook/x</pre>', 'unavailable'],
  [200, 'Database is not ready', undefined],
  [404, '{"message":"not registered"}', undefined],
  [200, '', undefined],
])('an n8n that is only starting has run nothing: %i %s', (status, text, code) => {
  const client = { name: 'default', url: 'http://n8n' } as Partial<N8nClient> as N8nClient;
  const type = text.startsWith('{') ? 'application/json' : 'text/html';
  const answer = { status, headers: new Headers({ 'content-type': type }), bytes: Buffer.from(text), cut: false };
  expect(starting(client, answer)?.code).toBe(code);
});
