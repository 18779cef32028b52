import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { callerNow } from './caller.ts';
import { createOwnSource } from './own-source.ts';
import type { CallContext } from './source.ts';
import { toolsFor } from './tool.ts';

const context = {
  principal: { id: 'ada' },
  trace: { traceId: 'abc' },
  signal: new AbortController().signal,
} as CallContext;
const none = { name: 'erase', arguments: {} };

test('a call and its preview are known as its work; what runs on after the answer is not', async () => {
  const seen: unknown[] = [];
  let later: Promise<unknown> = Promise.resolve();
  const erase = toolsFor<object>({ category: 'test' })({
    name: 'erase',
    title: 'Erase',
    description: 'Erases',
    effect: 'delete',
    scope: 'n8n:write',
    input: z.strictObject({}),
    output: z.looseObject({}),
    async preview() {
      await setImmediate();
      seen.push(callerNow());
      return 'erase it';
    },
    async run() {
      await setImmediate();
      seen.push(callerNow());
      const { promise, resolve } = Promise.withResolvers<unknown>();
      later = promise;
      setTimeout(() => resolve(callerNow()), 20);
      return {};
    },
  });
  const [entry] = createOwnSource({ id: 'x', exposure: 'flat', tools: [erase], deps: {} }).entries();
  await entry?.preview?.(none, context);
  await entry?.call(none, context);
  expect(seen).toEqual([
    { source: 'x', tool: 'erase', traceId: 'abc', principal: 'ada' },
    { source: 'x', tool: 'erase', traceId: 'abc', principal: 'ada' },
  ]);
  expect(await later).toBeUndefined();
  expect(callerNow()).toBeUndefined();
});
