import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { createN8nClient } from '../../n8n/client/client.ts';
import { callWeb } from '../../n8n/running/web-call.ts';
import { outOfSight, unanswered } from './refusals.ts';
import type { RunTool } from './run-tool.ts';

const tool = { name: 'run_a', workflow: { id: 'w', name: 'A' } } as Partial<RunTool> as RunTool;

test('if n8n goes away during a run, the error says where to look before you repeat it', () => {
  const away = new AppError('unavailable', 'n8n (default) cannot be reached.');
  const { code, message } = outOfSight({ tool, execution: '7' }, away);
  expect(code).toBe('unavailable');
  expect(message).toMatch(/"A" was started \(execution 7\), but its end is unknown: .*cannot be reached\./);
  expect(message).toContain('Do not run it again before you have checked with n8n_get_execution { "id": "7" }');
  expect(outOfSight({ tool }, away).message).toContain('checked with n8n_list_executions');
});

test('a run that was deleted meanwhile is reported as deleted', () => {
  const gone = new AppError('not_found', 'n8n (default) answered 404 to GET /api/v1/executions/7: Not Found');
  expect(outOfSight({ tool, execution: '7' }, gone)).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('was deleted before it ended'),
    data: { execution: '7' },
  });
});

test('a call that did not reach n8n has not run; one that n8n broke off may have', async () => {
  const post = { method: 'POST', path: '/webhook/x', body: {} };
  const broken = async (url: string) => {
    const client = createN8nClient('default', { url, timeoutMs: 1000 });
    const { signal } = new AbortController();
    return unanswered(client, tool, await callWeb(client, post, { signal }).catch((error: unknown) => error));
  };
  expect(await broken('http://127.0.0.1:9')).toMatchObject({ code: 'unavailable', data: { begun: false } });
  for (const listener of [
    ((request) => request.socket.destroy()) satisfies RequestListener,
    ((_, response) =>
      response
        .writeHead(200, { 'content-length': 10 })
        .write('half', () => response.destroy())) satisfies RequestListener,
  ]) {
    const server = createServer((...given) => void listener(...given)).listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    expect(await broken(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject({
      code: 'unavailable',
      data: { begun: true },
      message: expect.stringContaining('The run had probably started'),
    });
    server.closeAllConnections();
    server.close();
  }
});
