import { expect, test } from 'vitest';
import { connectOpenRouter } from './connection.ts';
import { openrouterSettings } from './settings.ts';
import { common } from '../settings.ts';

test('a connection that replaces another has no places of its own', async () => {
  const settings = openrouterSettings.extend(common).parse({ url: 'http://127.0.0.1:9', concurrency: 1 });
  const around = {
    name: 'openrouter',
    tls: undefined,
    timeoutMs: 1000,
    budget: () => {
      throw new Error('not needed');
    },
  };
  await using first = connectOpenRouter(settings, around);
  await using second = connectOpenRouter(settings, around);
  const { promise, resolve } = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const order: string[] = [];
  const running = first.places.run(async () => {
    await promise;
    order.push('first');
  }, signal);
  const waiting = second.places.run(async () => void order.push('second'), signal);
  // One that did not wait would be done by then.
  await new Promise(setImmediate);
  resolve();
  await Promise.all([running, waiting]);
  expect(order).toEqual(['first', 'second']);
});
