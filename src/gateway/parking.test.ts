import { expect, test } from 'vitest';
import { Cancellation } from '../kernel/cancellation.ts';
import type { Exchange } from '../wire/service.ts';
import { createParking } from './parking.ts';

const exchange = (principal: string): Exchange => {
  const stop = new Cancellation();
  return {
    principal: { id: principal, scopes: 'all' },
    view: {},
    client: { era: 'modern', version: '2026-07-28', capabilities: {} },
    trace: { traceId: '', spanId: '' },
    signal: stop.signal,
    stop,
    notify() {},
    ask: () => Promise.reject(new Error('asked by its result')),
  } as unknown as Exchange;
};

test('one caller may have a hundred parked calls; one more ends the oldest', async () => {
  const parking = createParking();
  const ended: unknown[] = [];
  const call = (principal: string, tag: number) =>
    parking.run(exchange(principal), { jsonrpc: '2.0', id: tag, method: 'tools/call', params: {} }, async (context) => {
      context.stop?.addEventListener('abort', () => ended.push([principal, tag]));
      await context.ask('elicitation/create', {});
      return { result: {} };
    });
  await call('bob', 0);
  for (let tag = 0; tag < 103; tag++) await call('ada', tag);
  expect(parking.size()).toBe(101);
  expect(ended).toEqual([
    ['ada', 0],
    ['ada', 1],
    ['ada', 2],
  ]);
});

test('with replicas, a token names the one that waits', async () => {
  const state = async (parking: ReturnType<typeof createParking>) => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} } as const;
    const answer = await parking.run(exchange('ada'), request, async (context) => {
      await context.ask('elicitation/create', {});
      return { result: {} };
    });
    return 'result' in answer ? answer.result.requestState : undefined;
  };
  expect(await state(createParking('alpha1'))).toMatch(/^p\.alpha1\.[0-9a-f-]{36}$/);
  expect(await state(createParking())).toMatch(/^p\.[0-9a-f-]{36}$/);
});
