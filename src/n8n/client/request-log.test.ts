import { expect, test } from 'vitest';
import { onBehalfOf } from '../../kernel/caller.ts';
import type { CallContext } from '../../kernel/source.ts';
import { logRequest } from './request-log.ts';

const asked = { instance: 'default', method: 'GET', path: '/api/v1/workflows', status: 200, ms: 12.4, bytes: 310 };

const listing = { source: 'n8n', tool: 'n8n_list_workflows' };
const context = { principal: { id: 'ada' }, trace: { traceId: 'abc' } } as CallContext;

function logOf(isDetailed: boolean) {
  const lines: unknown[][] = [];
  return { lines, log: { write: (...line: unknown[]) => void lines.push(line), isDetailed: () => isDetailed } };
}

test('a request made for a call is logged at info, with the trace of the call', async () => {
  const { lines, log } = logOf(false);
  await onBehalfOf(listing, context, async () => logRequest(log, asked));
  expect(lines).toEqual([['info', 'n8n default: GET /api/v1/workflows (200, 12 ms)', { trace_id: 'abc' }]]);
});

test('a request that Sluice makes by itself is logged at debug; details only if wanted', async () => {
  const { lines, log } = logOf(true);
  logRequest(log, { ...asked, query: { limit: 5 } });
  await onBehalfOf(listing, context, async () => logRequest(log, asked));
  expect(lines).toMatchObject([
    ['debug', expect.any(String), { query: { limit: 5 }, bytes: 310 }],
    ['info', expect.any(String), { trace_id: 'abc', tool: 'n8n_list_workflows', bytes: 310 }],
  ]);
});

test.each([
  ['/webhook/5f1c-secret/x', '/webhook/…'],
  ['/form/5f1c-secret', '/form/…'],
  ['/api/v1/workflows/7?x=1', '/api/v1/workflows/7'],
  ['/rest/login', '/rest/login'],
  ['/', '/'],
])('%s is logged as %s', (path, logged) => {
  const { lines, log } = logOf(false);
  logRequest(log, { instance: 'default', method: 'POST', path, ms: 1 });
  expect(lines[0]?.[1]).toBe(`n8n default: POST ${logged} (no answer, 1 ms)`);
});
